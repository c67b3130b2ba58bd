package dev.sluice.workflows.plan;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.RecoveryStatus;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.plan.Decision.Reverted;
import org.jspecify.annotations.Nullable;

/**
 * Of a job that leaves a session cluster which is about to be replaced: its spec is the one that is
 * deployed, so there is no reason to run it again if it has ended by itself meanwhile. Pure.
 */
public final class LeavingPlanner {

  private LeavingPlanner() {}

  /**
   * Whether only the cluster of the job is another one, as long as what the job leaves is not
   * recorded.
   *
   * @param seen of a job on a session cluster
   */
  public static boolean isAsked(Observation seen) {
    RecoveryStatus recovery = seen.recovery();
    boolean recovers = recovery != null && recovery.since() == null;
    return seen.phase() != Phase.ROLLING_BACK
        && seen.recorded() == null
        && !recovers
        && seen.newest().sameAsFrozen()
        && seen.newest().sameAsStable()
        && seen.isStableCluster();
  }

  /**
   * What to do about a job that has ended by itself; null where it has not, or where that is not
   * known.
   *
   * @param seen of a job on a session cluster
   */
  public static @Nullable Decision ended(Observation seen) {
    if (seen.phase() != Phase.UPGRADING
        || !isAsked(seen)
        || !(seen.job() instanceof Ended job)
        || (seen.pendingStop() != null && !hasFinished(job))) {
      return null;
    }
    return new Reverted(
        "Job %s has ended by itself (%s) and is not run again: a new spec or restartNonce does that."
            .formatted(job.jobId(), job.state()));
  }

  /** Whoever asked it to stop has come too late. */
  private static boolean hasFinished(Ended job) {
    return job.state() == FlinkJobState.FINISHED && job.newest() instanceof StateRef.Empty;
  }
}
