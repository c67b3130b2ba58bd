package dev.sluice.workflows.plan;

import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.JobObservation.Retention;
import dev.sluice.workflows.model.JobObservation.Unreachable;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Target;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.plan.Decision.Proceed;
import dev.sluice.workflows.plan.Decision.Settle;
import dev.sluice.workflows.plan.Plan.Restore;
import dev.sluice.workflows.plan.Plan.Suspend;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Starts again from {@code initialSavepointPath}, because {@code savepointRedeployNonce} asks for
 * it. What the job leaves is given up, and kept where that is possible: to go back to. Pure.
 */
final class RedeployPlanner {

  private RedeployPlanner() {}

  /** A spec that is suspended leaves it to the one that resumes it. */
  static boolean isAsked(Target target) {
    return target.redeploys() && !target.suspended();
  }

  /**
   * @param patient the observation has already waited for things to settle
   * @param retry a savepoint has failed, and the user goes on without one
   */
  static Decision decide(Observation seen, Target target, boolean patient, boolean retry) {
    StateRef start = new StateRef.Savepoint(Objects.requireNonNull(target.initialSavepointPath()));
    String why = "savepointRedeployNonce: the job starts from " + start.display() + ". ";
    if (seen.job() instanceof Alive job) {
      return alive(seen, job, start, why, patient, retry);
    }
    if (seen.job() instanceof Unreachable unreachable && seen.cluster().present() && !patient) {
      return new Settle(unreachable.why() + ".");
    }
    return proceed(
        seen, new Suspend.None(), start, left(seen), why + "No job has to be stopped for it.");
  }

  private static Decision alive(
      Observation seen, Alive job, StateRef start, String why, boolean patient, boolean retry) {
    boolean canSave = seen.deployed() != null && seen.deployed().savepointDirectory();
    if (job.isUp() && canSave && !retry) {
      return proceed(
          seen,
          new Suspend.StopWithSavepoint(job.jobId()),
          start,
          null,
          why
              + "The one that runs is stopped with a savepoint, to go back to; if that fails, retry"
              + " goes on without it.");
    }
    if (!job.isUp() && !patient) {
      return new Settle("The job is %s, %s.".formatted(job.state(), job.tasks().display()));
    }
    boolean keeps =
        job.keepsCheckpoints() == Retention.RETAINED
            && job.newest() instanceof StateRef.Checkpoint
            && job.progressed();
    return keeps
        ? proceed(
            seen,
            new Suspend.CancelAndKeepCheckpoint(job.jobId()),
            start,
            null,
            why + "The one that runs is cancelled, its newest checkpoint is kept, to go back to.")
        : proceed(
            seen,
            new Suspend.Discard(job.jobId()),
            start,
            left(seen),
            why + "The one that runs is cancelled, and its state is given up.");
  }

  /** What is known to be there without a job that is suspended; null when nothing is. */
  private static @Nullable StateRef left(Observation seen) {
    if (seen.job() instanceof Ended ended && ended.newest().pathOrNull() != null) {
      return ended.newest();
    }
    if (seen.job() instanceof Alive alive) {
      // a cancellation deletes at most checkpoints of its own
      boolean stays = alive.newest() instanceof StateRef.Savepoint || !alive.progressed();
      return stays && alive.newest().pathOrNull() != null ? alive.newest() : null;
    }
    RestorePoint recorded = seen.recorded();
    return recorded != null && !seen.cluster().present() && recorded.state().pathOrNull() != null
        ? recorded.state()
        : null;
  }

  private static Proceed proceed(
      Observation seen, Suspend suspend, StateRef start, @Nullable StateRef left, String why) {
    return new Proceed(
        new Plan(suspend, new Restore.Instead(start, left), UpgradePlanner.replace(seen), why));
  }
}
