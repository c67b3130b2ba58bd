package dev.sluice.api.validation;

import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.application.FlinkApplicationSpec;
import dev.sluice.api.application.Promotion;
import dev.sluice.api.application.ScaleMode;

/** What a job starts from, and how one version takes the place of another. */
final class ApplicationStateRules implements ApplicationValidation.ApplicationRule {
  private static final long LONGEST_QUIET_SECONDS = 604_800;
  private static final int MOST_CHECKPOINTS = 1000;

  @Override
  public void check(FlinkApplication resource, Report report) {
    FlinkApplicationSpec spec = resource.getSpec();
    if (spec.savepointRedeployNonce() != null && spec.namedSavepoint() == null) {
      report.add(
          "spec.savepointPath",
          "must name the savepoint to start from when spec.savepointRedeployNonce is given");
    }
    String savepoint = spec.namedSavepoint();
    if (savepoint != null && savepoint.codePoints().anyMatch(Character::isISOControl)) {
      report.add(
          spec.savepointPath() == null
              ? "spec.savepointInfo.savepointLocation"
              : "spec.savepointPath",
          "must be the path of a savepoint, but is " + Printable.quoted(savepoint));
    }
    if (spec.scaleMode() == ScaleMode.IN_PLACE && spec.isBlueGreen()) {
      report.add(
          "spec.scaleMode",
          "InPlace needs spec.deploymentMode Dual, because BlueGreen keeps the old version as it"
              + " is. Use NewCluster");
    }
    Promotion promotion = spec.promotion();
    if (promotion == null) {
      return;
    }
    if (!spec.isBlueGreen()) {
      report.add("spec.promotion", "needs spec.deploymentMode BlueGreen. Remove it");
    }
    Long quiet = promotion.stableSeconds();
    if (quiet != null && (quiet < 0 || quiet > LONGEST_QUIET_SECONDS)) {
      report.add(
          "spec.promotion.stableSeconds",
          "must be between 0 and %d, but is %d".formatted(LONGEST_QUIET_SECONDS, quiet));
    }
    Integer checkpoints = promotion.checkpoints();
    if (checkpoints != null && (checkpoints < 0 || checkpoints > MOST_CHECKPOINTS)) {
      report.add(
          "spec.promotion.checkpoints",
          "must be between 0 and %d, but is %d".formatted(MOST_CHECKPOINTS, checkpoints));
    }
  }
}
