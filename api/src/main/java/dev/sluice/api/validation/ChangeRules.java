package dev.sluice.api.validation;

import dev.sluice.api.common.JobSpec;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FrozenSpec;

/** What cannot be changed once something was deployed. */
final class ChangeRules implements Rule {
  static final String NEEDS_PATH =
      "must be given when savepointRedeployNonce changes. Set it to the savepoint to start from";

  private static final String REVERT =
      ". Revert the change, or delete the resource and create it again";

  @Override
  public void check(Subject subject, Report report) {
    FrozenSpec last = subject.last();
    if (last == null) {
      return;
    }
    FlinkDeploymentSpec old = last.spec();
    FlinkDeploymentSpec wanted = subject.spec();
    if (old.isApplication() && !wanted.isApplication()) {
      report.add(
          "spec.job",
          "cannot be removed: an application cluster cannot become a session cluster" + REVERT);
    }
    if (!old.isApplication() && wanted.isApplication()) {
      report.add("spec.job", "cannot be added to a session cluster" + REVERT);
    }
    if (old.mode() != wanted.mode()) {
      report.add(
          "spec.mode", "cannot be changed from " + old.mode() + " to " + wanted.mode() + REVERT);
    }
    JobSpec job = wanted.job();
    if (job != null && old.job() != null && isRedeployAsked(old.job(), job)) {
      if (job.startPath() == null && job.flinkStateSnapshotReference() == null) {
        report.add("spec.job.initialSavepointPath", NEEDS_PATH);
      }
    }
  }

  /** Whether the nonce is another number than before; removing it asks for nothing. */
  static boolean isRedeployAsked(JobSpec old, JobSpec wanted) {
    Long nonce = wanted.savepointRedeployNonce();
    return nonce != null && !nonce.equals(old.savepointRedeployNonce());
  }
}
