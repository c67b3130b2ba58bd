package dev.sluice.workflows.plan;

import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Retention;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Target;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.plan.Decision.Proceed;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How a job is suspended that is up and is to go on from its last state. Pure. */
final class LastStatePlanner {

  private LastStatePlanner() {}

  /**
   * The job runs, and its newest checkpoint is as good as a savepoint, if it is its own: what it
   * was restored from may be of long ago, and deleted since.
   */
  static Decision decide(Observation seen, Target target, Alive job, boolean patient) {
    Observation.Deployed deployed = seen.deployed();
    boolean canSave = deployed == null || deployed.savepointDirectory();
    boolean sameVersion =
        deployed != null && Objects.equals(deployed.flinkVersion(), target.flinkVersion());
    if (!sameVersion && canSave) {
      String because =
          deployed == null ? "it is not known which flinkVersion runs" : "flinkVersion changes";
      return SuspendPlanner.stop(
          seen,
          job.jobId(),
          "The job runs; it is stopped with a savepoint, because " + because + ".");
    }
    String lacks = whyNoCheckpoint(job);
    if (lacks == null) {
      return CheckpointAge.of(target, job).isTooOld()
          ? tooOld(seen, target, job, canSave, patient)
          : newestCheckpoint(seen, target, job);
    }
    if (canSave) {
      return SuspendPlanner.stop(
          seen, job.jobId(), "The job runs, but " + lacks + ": it is stopped with a savepoint.");
    }
    String none = "The job runs, but " + lacks + ", and no directory for savepoints is configured";
    return SuspendPlanner.orLost(MetadataPlanner.goOn(seen, target, none), none + ".");
  }

  private static Decision tooOld(
      Observation seen, Target target, Alive job, boolean canSave, boolean patient) {
    String old = "The job runs, but its newest checkpoint is older than max.allowed.checkpoint.age";
    if (CheckpointAge.of(target, job).isAwaited()) {
      return SuspendPlanner.notYet(
          patient, old + ". Another one is in progress, which is waited for.", false);
    }
    return canSave
        ? SuspendPlanner.stop(seen, job.jobId(), old + ": it is stopped with a savepoint.")
        : SuspendPlanner.lost(true, old + ", and no directory for savepoints is configured.");
  }

  private static Decision newestCheckpoint(Observation seen, Target target, Alive job) {
    return !target.options().cancels()
            && MetadataPlanner.goOn(seen, target, "The job runs, and job-cancel.enabled is false")
                instanceof Proceed metadata
        ? metadata
        : SuspendPlanner.cancelAndKeep(
            seen, job, "The job runs; it is cancelled, its newest checkpoint is kept.");
  }

  /** Why its newest checkpoint cannot be used; null when it can. */
  private static @Nullable String whyNoCheckpoint(Alive job) {
    if (job.newest() instanceof StateRef.Unknown unknown) {
      return "its newest checkpoint is not known (" + unknown.reason() + ")";
    }
    // the folder of a checkpoint is named after its job
    boolean own =
        job.newest() instanceof StateRef.Checkpoint checkpoint
            && checkpoint.path().contains("/" + job.jobId() + "/");
    if (!own) {
      return "its newest state is not a checkpoint of its own";
    }
    return job.keepsCheckpoints() == Retention.RETAINED
        ? null
        : "Flink would delete its checkpoints with a cancellation"
            + " (externalized-checkpoint-retention)";
  }
}
