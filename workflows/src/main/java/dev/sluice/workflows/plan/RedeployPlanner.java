package dev.sluice.workflows.plan;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
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
import dev.sluice.workflows.plan.Plan.Restore;
import dev.sluice.workflows.plan.Plan.Suspend;
import org.jspecify.annotations.Nullable;

/**
 * Starts again from {@code initialSavepointPath}, because {@code savepointRedeployNonce} asks for
 * it. What the job leaves is given up, and kept where that is possible: to go back to. Pure.
 */
final class RedeployPlanner {

  private final Observation seen;
  private final StateRef start;
  private final String why;

  private RedeployPlanner(Observation seen, String path) {
    this.seen = seen;
    this.start = new StateRef.Savepoint(path);
    this.why = "savepointRedeployNonce: the job starts from " + start.display() + ". ";
  }

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

  /**
   * @param patient the observation has already waited for things to settle
   * @param retry the user requested a retry: what cannot be kept is given up
   * @param savepointFailed a savepoint of the job has failed in this run
   */
  static Decision decide(
      Observation seen, Target target, boolean patient, boolean retry, boolean savepointFailed) {
    String path = target.initialSavepointPath();
    if (path == null) {
      return new Hold(
          false,
          Reasons.INVALID_SPEC,
          "spec.job.initialSavepointPath: must be given when savepointRedeployNonce changes. Set it"
              + " to the savepoint to start from, or revert the nonce.",
          false);
    }
    RedeployPlanner planner = new RedeployPlanner(seen, path);
    return seen.job() instanceof Alive job
        ? planner.alive(job, patient, retry && savepointFailed)
        : planner.withoutJob(patient, retry);
  }

  private Decision withoutJob(boolean patient, boolean retry) {
    boolean unsettled =
        seen.job() instanceof Absent
            || (seen.job() instanceof Unreachable && seen.cluster().present());
    if (unsettled && !patient) {
      return new Settle("The JobManager does not tell of its job.");
    }
    String searched = retry ? null : endedUnseen();
    if (searched != null) {
      return proceed(
          new Suspend.StopWithSavepoint(searched),
          null,
          "The one before has ended; Flink is asked for its savepoint, to go back to. If there is none,"
              + " retry goes on without it.");
    }
    StateRef left = left();
    if (left == null && onlyInMetadata() && !retry) {
      return new Hold(
          false,
          Reasons.STATE_NOT_FOUND,
          why
              + "The state of the job before is only in its high-availability metadata, which is"
              + " deleted with its cluster. Annotate with sluice.dev/retry to give it up.",
          false);
    }
    return proceed(
        new Suspend.None(),
        left,
        left == null
            ? "Nothing that the one before left can be kept."
            : "The one before left " + left.display() + ", to go back to.");
  }

  /** The job that has ended without saying what it was stopped with; null when there is none. */
  private @Nullable String endedUnseen() {
    if (seen.job() instanceof Absent absent && seen.recorded() == null) {
      return absent.jobId();
    }
    return seen.job() instanceof Ended ended
            && ended.state() == FlinkJobState.FINISHED
            && !ended.newest().isKnown()
        ? ended.jobId()
        : null;
  }

  private boolean onlyInMetadata() {
    RestorePoint recorded = seen.recorded();
    boolean ofSuspended = recorded != null && recorded.isSameJob();
    return seen.cluster().highAvailability() == HighAvailability.CHECKPOINT
        && (ofSuspended || seen.job() instanceof Unreachable);
  }

  private Decision alive(Alive job, boolean patient, boolean withoutSavepoint) {
    boolean canSave = seen.deployed() != null && seen.deployed().savepointDirectory();
    if (job.isUp() && canSave && !withoutSavepoint) {
      return proceed(
          new Suspend.StopWithSavepoint(job.jobId()),
          null,
          "The one that runs is stopped with a savepoint, to go back to; if that fails, retry goes"
              + " on without it.");
    }
    if (!job.isUp() && !patient) {
      return new Settle("The job is %s, %s.".formatted(job.state(), job.tasks().display()));
    }
    boolean keeps =
        job.keepsCheckpoints() == Retention.RETAINED
            && job.newest() instanceof StateRef.Checkpoint
            && job.progressed();
    if (keeps) {
      return proceed(
          new Suspend.CancelAndKeepCheckpoint(job.jobId()),
          null,
          "The one that runs is cancelled, its newest checkpoint is kept, to go back to.");
    }
    StateRef left = left();
    return proceed(
        new Suspend.Discard(job.jobId()),
        left,
        left == null
            ? "The one that runs is cancelled, and its state is given up."
            : "The one that runs is cancelled; " + left.display() + " stays, to go back to.");
  }

  /** What is known to be there without a job that is suspended; null when nothing is. */
  private @Nullable StateRef left() {
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

  private Proceed proceed(Suspend suspend, @Nullable StateRef left, String what) {
    return new Proceed(
        new Plan(
            suspend, new Restore.Instead(start, left), UpgradePlanner.replace(seen), why + what));
  }
}
