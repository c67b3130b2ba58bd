package dev.sluice.workflows.plan;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.model.JobObservation.Absent;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.JobObservation.Retention;
import dev.sluice.workflows.model.JobObservation.Unreachable;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Target;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.plan.Decision.Hold;
import dev.sluice.workflows.plan.Decision.Proceed;
import dev.sluice.workflows.plan.Decision.Settle;
import dev.sluice.workflows.plan.GoalPlanner.Tried;
import dev.sluice.workflows.plan.Plan.Restore;
import dev.sluice.workflows.plan.Plan.Suspend;
import dev.sluice.workflows.plan.Plan.Suspend.How;
import org.jspecify.annotations.Nullable;

/**
 * Starts again from {@code initialSavepointPath}, because {@code savepointRedeployNonce} asks for
 * it. What the job leaves is given up, and kept where that is possible: to go back to. Pure.
 */
record RedeployPlanner(Observation seen, StateRef start) {

  /** A spec that is suspended leaves it to the one that resumes it. */
  static boolean isAsked(Target target) {
    return target.redeploys() && !target.suspended();
  }

  /** Its start is recorded: from then on that path is what its job starts from, in any mode. */
  static boolean isRecorded(Observation seen, Target target) {
    RestorePoint recorded = seen.recorded();
    String path = target.initialSavepointPath();
    boolean same =
        seen.newest().sameAsFrozen()
            || (seen.frozen() != null && seen.frozen().generation() == target.generation());
    return recorded != null
        && path != null
        && same
        && seen.stableGeneration() != null
        && recorded.state().equals(new StateRef.Savepoint(path));
  }

  static Decision decide(Observation seen, Target target, Tried tried) {
    String path = target.initialSavepointPath();
    if (path == null) {
      return new Hold(
          false,
          Reasons.INVALID_SPEC,
          "spec.job.initialSavepointPath: must be given when savepointRedeployNonce changes. Set it"
              + " to the savepoint to start from, or revert the nonce.",
          false);
    }
    RedeployPlanner planner = new RedeployPlanner(seen, new StateRef.Savepoint(path));
    if (seen.job() instanceof Alive job) {
      return planner.alive(job, tried);
    }
    boolean unsettled =
        seen.job() instanceof Absent
            || (seen.job() instanceof Unreachable && seen.cluster().present());
    if (unsettled && !tried.patient()) {
      return new Settle("The JobManager does not tell of its job.");
    }
    String stopped = tried.retry() ? null : planner.stoppedUnseen();
    return stopped == null
        ? planner.proceed(Suspend.NONE)
        : planner.proceed(new Suspend(How.STOP_WITH_SAVEPOINT, stopped));
  }

  /** The job that has ended without saying what it was stopped with; null when there is none. */
  private @Nullable String stoppedUnseen() {
    if (seen.job() instanceof Absent absent && seen.recorded() == null) {
      return absent.jobId();
    }
    return seen.job() instanceof Ended ended
            && ended.state() == FlinkJobState.FINISHED
            && !ended.newest().isKnown()
        ? ended.jobId()
        : null;
  }

  private Decision alive(Alive job, Tried tried) {
    boolean canSave = seen.deployed() != null && seen.deployed().savepointDirectory();
    if (job.isUp() && canSave && !(tried.retry() && tried.savepointFailed())) {
      return proceed(new Suspend(How.STOP_WITH_SAVEPOINT, job.jobId()));
    }
    if (!job.isUp() && !tried.patient()) {
      return new Settle(job.display());
    }
    boolean keeps =
        job.keepsCheckpoints() == Retention.RETAINED
            && job.newest() instanceof StateRef.Checkpoint
            && job.progressed();
    return proceed(new Suspend(keeps ? How.CANCEL_AND_KEEP_CHECKPOINT : How.DISCARD, job.jobId()));
  }

  /** What is known to be there without a job that is suspended; null when nothing is. */
  private @Nullable StateRef left() {
    StateRef left = null;
    if (seen.job() instanceof Ended ended) {
      left = ended.newest();
    } else if (seen.job() instanceof Alive alive) {
      // a cancellation deletes at most checkpoints of its own
      boolean stays = alive.newest() instanceof StateRef.Savepoint || !alive.progressed();
      left = stays ? alive.newest() : null;
    } else if (seen.recorded() != null && !seen.cluster().present()) {
      left = seen.recorded().state();
    }
    return left != null && left.pathOrNull() != null ? left : null;
  }

  private Decision proceed(Suspend suspend) {
    boolean takes = suspend.how() != How.NONE && suspend.how() != How.DISCARD;
    StateRef left = takes ? null : left();
    String kept =
        takes
            ? "What the one before leaves is kept, to go back to; if that fails, retry goes on"
                + " without it."
            : "Of the one before "
                + (left == null ? "nothing can be kept." : left.display() + " stays.");
    return Proceed.with(
        seen,
        suspend,
        new Restore.Instead(start, left),
        "savepointRedeployNonce: the job starts from %s. %s".formatted(start.display(), kept));
  }
}
