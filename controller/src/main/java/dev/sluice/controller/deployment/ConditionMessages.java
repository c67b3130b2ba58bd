package dev.sluice.controller.deployment;

import dev.sluice.api.Annotations;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.HighAvailabilityMode;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.controller.operation.ResourcePhase;
import org.jspecify.annotations.Nullable;

/** Messages about the job of a FlinkDeployment and its JobManager. */
final class ConditionMessages {

  private static final String NO_JOB = "The JobManager answers but has no job.";

  private ConditionMessages() {}

  private static boolean isSession(SeenDeployment snapshot) {
    return !snapshot.deployedSpec().isApplication();
  }

  static String jobManagerMissing(SeenDeployment snapshot) {
    if (LostJob.of(snapshot).isPresent()) {
      return isSession(snapshot)
          ? "The JobManager Deployment is missing, so the session cluster does not run. It is"
              + " started again."
          : "The JobManager Deployment is missing, so the job does not run. It is started again.";
    }
    if (isSession(snapshot)) {
      return "The JobManager Deployment is missing, so the session cluster does not run. [To start"
          + " it again, annotate with "
          + Annotations.RETRY
          + ".]";
    }
    FrozenSpec deployed = snapshot.check().frozen();
    if (snapshot.phase() == ResourcePhase.GIVEN_UP
        && deployed != null
        && LostJob.onRetry(snapshot).isEmpty()) {
      return "The JobManager Deployment is missing, so the job does not run. [%s upgrades to generation %d. To start the job of generation %d again, apply that spec, and then annotate.]"
          .formatted(Annotations.RETRY, snapshot.generation(), deployed.generation());
    }
    return "The JobManager Deployment is missing, so the job does not run. [To start the job again,"
        + " annotate with "
        + Annotations.RETRY
        + "; without high-availability metadata name what it starts from together with it: "
        + Annotations.RESTORE_FROM
        + ": <path of a savepoint or checkpoint>.]";
  }

  /** A job that fails while it is initialized takes its JobManager along: nobody saw it FAILED. */
  static String noJob(SeenDeployment snapshot) {
    return snapshot.isDeployedAndWanted()
            && HighAvailabilityMode.of(snapshot.deployedSpec().configuration()).isOn()
        ? NO_JOB
            + " If that lasts, the job has ended, and with high availability a new JobManager does"
            + " not run it again: the log of the JobManager, or of its container before, says why."
        : NO_JOB;
  }

  /** The JobManager of a job that has failed or was cancelled was stopped since. */
  static String failedForGood(SeenDeployment snapshot) {
    JobStatus last = snapshot.status().jobStatus();
    FlinkJobState noted = snapshot.observed().cluster().endedAs();
    if (noted != null) {
      return endedForGood(snapshot, snapshot.observed().cluster().jobId(), noted);
    }
    return last == null ? noJob(snapshot) : endedForGood(snapshot, last.jobId(), last.state());
  }

  private static String endedForGood(
      SeenDeployment snapshot, @Nullable String jobId, @Nullable FlinkJobState as) {
    String ended = "Job %s is %s; its JobManager was stopped since.".formatted(jobId, as);
    // of an operation that is held Stalled says what is to be done
    return snapshot.phase().isOpen() || snapshot.phase() == ResourcePhase.DELETING
        ? ended
        : ended + nextStart(snapshot);
  }

  private static String nextStart(SeenDeployment snapshot) {
    JobSpec job = snapshot.resource().getSpec().job();
    return job != null && job.upgradeMode() == UpgradeMode.STATELESS
        ? " A restartNonce starts it empty, because upgradeMode is stateless; a spec with savepoint"
            + " or last-state goes on from what it left."
        : " A new spec or restartNonce goes on from what it left.";
  }
}
