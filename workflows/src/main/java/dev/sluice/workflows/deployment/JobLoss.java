package dev.sluice.workflows.deployment;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.JobObservation.Absent;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.JobObservation.Times;
import dev.sluice.workflows.model.JobObservation.Unreachable;
import dev.sluice.workflows.model.Observation;
import org.jspecify.annotations.Nullable;

/**
 * What a recovery was started for, and whether it is still so. Pure.
 *
 * @param cause how the job was lost
 * @param jobId the job that was not healthy; null when that is not known, and for other causes
 * @param seenAtMs when it was seen lost, ms since the epoch
 * @param healedAfterMs that job is healthy again once every task is up for that long, in ms; null
 *     where that says nothing
 */
record JobLoss(
    RecoveryCause cause, @Nullable String jobId, long seenAtMs, @Nullable Long healedAfterMs) {

  /** The JobManager is there and does not tell: it may not have begun the job yet. */
  static boolean isUnknown(Observation seen) {
    boolean mayHaveEnded = seen.cluster().highAvailability() != HighAvailability.OFF;
    return seen.cluster().present()
        && (seen.job() instanceof Unreachable || (seen.job() instanceof Absent && !mayHaveEnded));
  }

  /** Whether the job is known to be lost in this way. */
  boolean isStill(Observation seen) {
    return switch (cause) {
      case JOB_MANAGER_MISSING -> !seen.cluster().present();
      case JOB_FAILED -> seen.cluster().present() && hasFailed(seen);
      case UNHEALTHY -> seen.job() instanceof Alive alive && !isHealed(alive);
    };
  }

  /** With high availability a JobManager that was restarted does not list what has ended. */
  private static boolean hasFailed(Observation seen) {
    return seen.job() instanceof Ended ended
        ? ended.state() == FlinkJobState.FAILED
        : seen.job() instanceof Absent && !isUnknown(seen);
  }

  /**
   * Another job is not the one that was seen; one that is up and completes checkpoints, or does not
   * restart any more, neither.
   */
  private boolean isHealed(Alive job) {
    boolean other = jobId != null && !jobId.equals(job.jobId());
    return other
        || (job.isUp() && (job.times().checkpointAtMs() > seenAtMs || hasSettled(job.times())));
  }

  private boolean hasSettled(Times times) {
    return healedAfterMs != null && times.upForMs() >= healedAfterMs;
  }
}
