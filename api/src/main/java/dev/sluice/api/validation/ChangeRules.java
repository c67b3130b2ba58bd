package dev.sluice.api.validation;

import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FrozenSpec;
import org.jspecify.annotations.Nullable;

/** What cannot be changed once something was deployed. */
final class ChangeRules {
  private static final String REVERT =
      ". Revert the change, or delete the resource and create it again";

  private ChangeRules() {}

  static void check(Subject subject, Report report) {
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
    if (job != null) {
      checkRedeploy("spec.job", old.job(), job, report);
      checkVersion(old, wanted.flinkVersion(), job, report);
    }
  }

  /**
   * A nonce that is another number than before asks for a savepoint to start from; removing it asks
   * for nothing.
   *
   * @param path of the job
   * @param old the job that is deployed; null before the first deployment
   */
  static void checkRedeploy(String path, @Nullable JobSpec old, JobSpec wanted, Report report) {
    Long nonce = wanted.savepointRedeployNonce();
    if (old != null
        && nonce != null
        && !nonce.equals(old.savepointRedeployNonce())
        && wanted.startPath() == null
        && wanted.flinkStateSnapshotReference() == null) {
      report.add(
          path + ".initialSavepointPath",
          "must be given when savepointRedeployNonce changes. Set it to the savepoint to start"
              + " from");
    }
  }

  /** One Flink version cannot read the HA metadata of another. */
  private static void checkVersion(
      FlinkDeploymentSpec old, @Nullable FlinkVersion version, JobSpec job, Report report) {
    JobSpec before = old.job();
    if (version != null
        && job.upgradeMode() != UpgradeMode.STATELESS
        && before != null
        && before.isSuspended()
        && before.upgradeMode() == UpgradeMode.LAST_STATE
        && old.flinkVersion() != version) {
      report.add(
          "spec.flinkVersion",
          "cannot be changed to "
              + version
              + " while the job is suspended with last-state. Resume it with "
              + old.flinkVersion()
              + " first, then upgrade it");
    }
  }
}
