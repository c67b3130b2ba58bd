package dev.sluice.api.validation;

import dev.sluice.api.common.JobSpec;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FrozenSpec;

/** What cannot be changed once something was deployed. */
final class ChangeRules implements Rule {
  private static final String ANEW = ". Change it back, or delete the resource and create it anew";

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
          "cannot be removed: it would make a session cluster of an application" + ANEW);
    }
    if (!old.isApplication() && wanted.isApplication()) {
      report.add("spec.job", "cannot be added to a session cluster" + ANEW);
    }
    if (old.mode() != wanted.mode()) {
      report.add(
          "spec.mode", "cannot be changed from " + old.mode() + " to " + wanted.mode() + ANEW);
    }
    JobSpec job = wanted.job();
    if (job != null && old.job() != null && isRedeployAsked(old.job(), job)) {
      String path = job.initialSavepointPath();
      if (path == null || path.isBlank()) {
        report.add(
            "spec.job.initialSavepointPath",
            "must be given when savepointRedeployNonce changes. Set it to the savepoint to start"
                + " from");
      }
    }
  }

  /** Whether the nonce is another number than before; a nonce that was removed asks for nothing. */
  static boolean isRedeployAsked(JobSpec old, JobSpec wanted) {
    Long nonce = wanted.savepointRedeployNonce();
    return nonce != null && !nonce.equals(old.savepointRedeployNonce());
  }
}
