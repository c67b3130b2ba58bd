package dev.sluice.api.validation;

import dev.sluice.api.application.ApplicationDeployment;
import dev.sluice.api.application.DeployedVersion;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.application.FlinkApplicationSpec;
import dev.sluice.api.application.FlinkApplicationStatus;
import dev.sluice.api.application.ImageVersion;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Fields that do nothing as things stand, or that do not do what they seem to. */
final class ApplicationUnusedFields implements ApplicationValidation.ApplicationRule {

  @Override
  public void check(FlinkApplication resource, Report report) {
    FlinkApplicationSpec spec = resource.getSpec();
    FlinkApplicationStatus status = resource.getStatus();
    checkVersion(spec, report);
    checkSavepoint(spec, status, report);
    checkTearDown(spec, status, report);
    if (spec.forceRollback()) {
      report.warn(
          "spec.forceRollback",
          "no deployment begins while it is true. Set it to false to deploy again");
    }
    if (spec.savepointDisabled() && spec.fallbackWithoutState()) {
      report.warn(
          "spec.fallbackWithoutState",
          "has no effect on deployments beside savepointDisabled, which start without state");
    }
  }

  private static void checkVersion(FlinkApplicationSpec spec, Report report) {
    Optional<ImageVersion> version = ImageVersion.of(spec.flinkVersion());
    if (version.isEmpty()) {
      report.warn(
          "spec.flinkVersion",
          (spec.flinkVersion() == null
                  ? "is not given"
                  : "cannot be read: " + Printable.quoted(spec.flinkVersion()))
              + ". As in Lyft's operator, memory is set as for Flink before 1.11; Flink 2 does not"
              + " read that. Set it to the version in the image, such as 1.20");
    } else if (!version.get().isAtLeast(1, 15)) {
      report.warn(
          "spec.flinkVersion",
          "before 1.15 Flink takes no trigger ids: a savepoint whose answer is lost is not found"
              + " again, and the deployment waits for you");
    }
  }

  private static void checkSavepoint(
      FlinkApplicationSpec spec, FlinkApplicationStatus status, Report report) {
    String older = spec.savepointInfo() == null ? null : spec.savepointInfo().savepointLocation();
    String named = spec.namedSavepoint();
    if (older != null && !older.isBlank() && !older.equals(named)) {
      report.warn(
          "spec.savepointInfo.savepointLocation",
          "has no effect beside spec.savepointPath. Remove it");
    }
    String deployed = Objects.requireNonNullElse(status.deployHash(), "");
    if (named != null && !deployed.isEmpty() && spec.savepointRedeployNonce() == null) {
      report.warn(
          spec.savepointPath() == null || spec.savepointPath().isBlank()
              ? "spec.savepointInfo.savepointLocation"
              : "spec.savepointPath",
          "has no effect: something is deployed, whose state goes on. To start from it"
              + " nevertheless, change spec.savepointRedeployNonce");
    }
  }

  private static void checkTearDown(
      FlinkApplicationSpec spec, FlinkApplicationStatus status, Report report) {
    String asked = Objects.requireNonNullElse(spec.tearDownVersionHash(), "");
    if (asked.isEmpty()) {
      return;
    }
    if (!spec.isBlueGreen()) {
      report.warn("spec.tearDownVersionHash", "has no effect in deploymentMode Dual. Remove it");
      return;
    }
    ApplicationDeployment deployment =
        Objects.requireNonNullElse(status.deployment(), ApplicationDeployment.EMPTY);
    boolean known =
        asked.equals(status.teardownHash())
            || Stream.of(deployment.deployed(), deployment.target(), deployment.leaving())
                .filter(Objects::nonNull)
                .map(DeployedVersion::hash)
                .anyMatch(asked::equals);
    if (!known) {
      report.warn(
          "spec.tearDownVersionHash",
          "has no effect: no version has the hash "
              + Printable.quoted(asked)
              + ". status.versionStatuses has those there are");
    }
  }
}
