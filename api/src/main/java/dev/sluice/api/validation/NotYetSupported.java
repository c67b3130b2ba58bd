package dev.sluice.api.validation;

import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.deployment.KubernetesDeploymentMode;
import org.jspecify.annotations.Nullable;

/**
 * What the resource can say and Apache's operator can do, but this one not yet. Each check goes
 * away when its feature comes; nothing else depends on this class.
 */
final class NotYetSupported implements Rule {
  @Override
  public void check(Subject subject, Report report) {
    if (subject.spec().mode() == KubernetesDeploymentMode.STANDALONE) {
      report.notYet(
          "spec.mode", "standalone is not supported yet. Use native", Reasons.NOT_SUPPORTED);
    }
    JobSpec job = subject.spec().job();
    if (job == null) {
      report.notYet(
          "spec.job",
          "must be given: session clusters are not supported yet",
          Reasons.NOT_SUPPORTED);
      return;
    }
    if (job.upgradeMode() == UpgradeMode.LAST_STATE) {
      report.notYet(
          "spec.job.upgradeMode",
          "last-state is not supported yet. Use savepoint",
          Reasons.UPGRADE_MODE_NOT_SUPPORTED);
    }
    if (job.state() == DesiredJobState.SUSPENDED) {
      report.notYet(
          "spec.job.state",
          "suspended is not supported yet. Use running, or delete the resource",
          Reasons.NOT_SUPPORTED);
    }
    checkRedeploy(subject.last(), job, report);
  }

  private static void checkRedeploy(@Nullable FrozenSpec last, JobSpec job, Report report) {
    JobSpec old = last == null ? null : last.spec().job();
    if (old != null && ChangeRules.isRedeployAsked(old, job)) {
      report.notYet(
          "spec.job.savepointRedeployNonce",
          "changing it is not supported yet. Change it back; to start from another savepoint, delete"
              + " the resource and create it with job.initialSavepointPath",
          Reasons.NOT_SUPPORTED);
    }
  }
}
