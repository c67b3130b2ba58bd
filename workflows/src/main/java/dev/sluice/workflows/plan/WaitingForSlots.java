package dev.sluice.workflows.plan;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Target;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import org.jspecify.annotations.Nullable;

/**
 * A job without tasks. Flink answers that there was never a checkpoint of it, however many there
 * were: before its scheduler is set up, and when an adaptive one has lost all slots. What its
 * metadata says counts. Pure.
 */
final class WaitingForSlots {

  private WaitingForSlots() {}

  /**
   * Null where the rules for every job that is not up decide.
   *
   * @param recorded what is recorded, unless that is metadata; else null
   * @param state the beginning of the sentence
   */
  static @Nullable Decision decide(
      Observation seen, Target target, Alive job, @Nullable RestorePoint recorded, String state) {
    boolean waits = job.state() == FlinkJobState.CREATED || job.tasks().total() == 0;
    boolean told = job.newest().isKnown() && !(job.newest() instanceof StateRef.Empty);
    if (!waits || told) {
      return null;
    }
    String why = state + " Flink does not tell the checkpoints of a job without tasks";
    Decision metadata = MetadataPlanner.goOn(seen, target, why);
    if (metadata != null || SuspendPlanner.wasUp(seen)) {
      return SuspendPlanner.insistsOnSavepoint(seen, target)
          ? SuspendPlanner.waitsForSavepoint(state)
          : SuspendPlanner.orLost(metadata, why + ".");
    }
    return recorded != null
            && recorded.starts(job.jobId())
            && seen.cluster().highAvailability() == HighAvailability.NO_CHECKPOINT
        ? SuspendPlanner.discardUnprogressed(
            seen, job.jobId(), recorded.state(), state + " Its metadata has no checkpoint.")
        : null;
  }
}
