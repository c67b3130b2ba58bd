package dev.sluice.workflows.deployment;

import dev.sluice.api.common.PendingStop;
import dev.sluice.workflows.activity.JobActivities;
import dev.sluice.workflows.activity.JobActivities.CancelRequest;
import dev.sluice.workflows.activity.JobActivities.CancelRequest.OnlyIf;
import dev.sluice.workflows.activity.JobActivities.StopRequest;
import dev.sluice.workflows.activity.JobActivities.TakenState;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.Ids;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.operation.StepRunner;
import dev.sluice.workflows.plan.Plan;
import dev.sluice.workflows.plan.Plan.Suspend;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Suspends the old job as planned, and returns the state that is left of it. */
final class JobSuspension {

  /** Flink's default of {@code execution.checkpointing.timeout}. */
  private static final Duration SAVEPOINT_TIMEOUT = Duration.ofMinutes(10);

  private final OperationContext context;
  private final StepRunner steps;
  private int stops;

  JobSuspension(OperationContext context, StepRunner steps) {
    this.context = context;
    this.steps = steps;
  }

  /** The step that carries the plan's suspension out. */
  static Step step(Plan plan) {
    return switch (kind(plan.suspend())) {
      case STOP -> Step.STOP_WITH_SAVEPOINT;
      case CANCEL -> Step.CANCEL_JOB;
      case SESSION -> Step.SUSPEND_SESSION_JOBS;
      case NONE -> Step.RECORD_STATE;
    };
  }

  private enum Kind {
    NONE,
    STOP,
    CANCEL,
    SESSION
  }

  private static Kind kind(Suspend suspend) {
    if (suspend instanceof Suspend.StopWithSavepoint) {
      return Kind.STOP;
    }
    if (suspend instanceof Suspend.SessionJobs) {
      return Kind.SESSION;
    }
    boolean cancels =
        suspend instanceof Suspend.CancelAndKeepCheckpoint
            || suspend instanceof Suspend.Discard
            || suspend instanceof Suspend.DiscardUnprogressed;
    return cancels ? Kind.CANCEL : Kind.NONE;
  }

  /** How long the suspension may take; null when it is none. */
  static @Nullable Duration limit(Plan plan, Observation seen) {
    return switch (kind(plan.suspend())) {
      case STOP -> savepointLimit(seen);
      case CANCEL -> StepLimits.CANCEL;
      case NONE, SESSION -> null;
    };
  }

  private static Duration savepointLimit(Observation seen) {
    return StepLimits.savepoint(
        seen.job() instanceof Alive alive
            ? alive.savepointTimeoutMs()
            : SAVEPOINT_TIMEOUT.toMillis());
  }

  /**
   * The stop that the plan carries out: the pending one, or a new one. Null where the plan ends no
   * job and none is pending.
   *
   * @param anew the user accepts the job as it is now, whatever became of an earlier trigger
   */
  @Nullable PendingStop stop(Plan plan, Observation seen, boolean anew) {
    PendingStop pending = seen.pendingStop();
    String job = plan.suspend().endedJob();
    boolean takesSavepoint = plan.suspend() instanceof Suspend.StopWithSavepoint;
    boolean goesOn =
        pending != null
            && job != null
            && job.equals(pending.jobId())
            && (!takesSavepoint || (pending.triggerId() != null && !anew));
    if (job == null || goesOn) {
      return pending;
    }
    String begun = pending != null && job.equals(pending.jobId()) && !anew ? pending.since() : null;
    String trigger =
        takesSavepoint
            ? Ids.derive(Workflow.getInfo().getOriginalExecutionRunId(), "stop", ++stops)
            : null;
    String now = Instant.ofEpochMilli(Workflow.currentTimeMillis()).toString();
    return new PendingStop(job, trigger, begun == null ? now : begun);
  }

  /**
   * Suspends the job.
   *
   * @param stop which is in the status
   * @return what is left of it; null when the plan leaves no job to suspend
   * @throws ActivityFailure when that failed; unless it says {@code SavepointFailed}, what became
   *     of the job is not known
   */
  @Nullable TakenState carryOut(Plan plan, Observation seen, @Nullable PendingStop stop) {
    Suspend suspend = plan.suspend();
    if (suspend instanceof Suspend.StopWithSavepoint it) {
      return stopWithSavepoint(seen, it.jobId(), Objects.requireNonNull(stop));
    }
    if (suspend instanceof Suspend.CancelAndKeepCheckpoint keep) {
      return cancel(
          seen, keep.jobId(), OnlyIf.PROGRESS_IS_KEPT, "Cancel job %s, keep its newest checkpoint");
    }
    if (suspend instanceof Suspend.Discard discard) {
      return cancel(
          seen, discard.jobId(), OnlyIf.ANY_CASE, "Cancel job %s, its state is not needed");
    }
    if (suspend instanceof Suspend.DiscardUnprogressed discard) {
      return cancel(
          seen, discard.jobId(), OnlyIf.NOT_PROGRESSED, "Cancel job %s, which has not progressed");
    }
    // a job that is left to its metadata is suspended by what deletes its cluster
    return null;
  }

  /**
   * Whether a savepoint since the last freeze may be the one that the job was stopped with. A job
   * that its JobManager does not know any more was stopped by this operation only, if at all: one
   * that is found from before may be any snapshot of it.
   */
  private static boolean mayBeStopped(Observation seen) {
    boolean begun = seen.phase() != Observation.Phase.IDLE;
    return seen.begunAtMs() > 0
        && (seen.job() instanceof Ended || (begun && !(seen.job() instanceof Alive)));
  }

  private TakenState stopWithSavepoint(Observation seen, String jobId, PendingStop stop) {
    String triggerId = Objects.requireNonNull(stop.triggerId());
    long since = mayBeStopped(seen) ? seen.begunAtMs() : stop.sinceMs();
    long deadline = context.in(savepointLimit(seen));
    context.job("Job " + jobId + " is being stopped; the outcome is not known yet.");
    TakenState taken =
        steps.awaitUnlessDeleted(
            Step.STOP_WITH_SAVEPOINT,
            "Stop job " + jobId + " with a savepoint",
            deadline,
            JobActivities.class,
            a ->
                a.stopWithSavepoint(
                    new StopRequest(
                        context.resource(), job(seen, jobId), triggerId, since, deadline)));
    context.job("Job " + jobId + " is stopped.");
    context.done("Job stopped, " + taken.how() + ": " + taken.state().display());
    return taken;
  }

  private TakenState cancel(Observation seen, String jobId, OnlyIf onlyIf, String summary) {
    long deadline = context.in(StepLimits.CANCEL);
    context.job("Job " + jobId + " is being cancelled; the outcome is not known yet.");
    TakenState taken =
        steps.awaitUnlessDeleted(
            Step.CANCEL_JOB,
            summary.formatted(jobId),
            deadline,
            JobActivities.class,
            a ->
                a.cancelJob(
                    new CancelRequest(
                        context.resource(),
                        job(seen, jobId),
                        onlyIf,
                        onlyIf == OnlyIf.PROGRESS_IS_KEPT ? begunAt(seen, jobId) : 0,
                        deadline)));
    context.job("Job " + jobId + " is cancelled.");
    context.done(
        onlyIf.keepsState()
            ? "Job cancelled, " + taken.state().display() + " is kept"
            : "Job cancelled");
    return taken;
  }

  /** A job that began after its cancellation was begun has begun again. */
  private static long begunAt(Observation seen, String jobId) {
    long begun = seen.job() instanceof Alive alive ? alive.times().begunAtMs() : 0;
    PendingStop pending = seen.pendingStop();
    return pending != null && jobId.equals(pending.jobId()) && pending.sinceMs() > 0
        ? Math.min(begun, pending.sinceMs())
        : begun;
  }

  /** The state that the new job starts from. */
  static StateRef restored(Plan plan, @Nullable TakenState taken) {
    Plan.Restore restore = plan.restore();
    if (restore instanceof Plan.Restore.From from) {
      return from.state();
    }
    if (restore instanceof Plan.Restore.Chosen chosen) {
      return chosen.state();
    }
    if (restore instanceof Plan.Restore.Instead instead) {
      return instead.state();
    }
    if (taken == null) {
      throw new IllegalStateException("The plan restores from a job that it does not suspend");
    }
    return taken.state();
  }

  /** What is recorded before the new job is started from that state. */
  static RestorePoint restorePoint(
      Plan plan, @Nullable TakenState taken, Observation seen, StateRef from, String nextJob) {
    RestorePoint before = seen.recorded();
    String there = seen.cluster().jobId();
    if (plan.restore() instanceof Plan.Restore.Instead instead) {
      return startedInstead(instead, taken, seen, nextJob);
    }
    boolean unprogressed =
        plan.teardown() instanceof Plan.Teardown.Replace replace && replace.onlyWhile() != null;
    boolean initial = plan.restore() instanceof Plan.Restore.From named && named.initial();
    if (before != null && unprogressed) {
      return before.again(there, nextJob).initial(from, initial);
    }
    if (before == null) {
      return RestorePoint.of(from, there, nextJob).initial(from, initial);
    }
    // what a suspended job left is still that job's
    boolean still = there == null && from.equals(before.state());
    RestorePoint point =
        RestorePoint.of(from, still ? before.takenFrom() : there, nextJob).initial(from, initial);
    return !initial && isLater(seen, before) ? point.after(before) : point;
  }

  /** What the last stable job left is recorded, and what is taken now is not that. */
  private static boolean isLater(Observation seen, RestorePoint before) {
    String there = seen.cluster().jobId();
    Long stable = seen.stableGeneration();
    boolean ofStable = stable != null && stable.equals(seen.cluster().generation());
    boolean takenBefore = there != null && there.equals(before.takenFrom());
    // a rollback has given up what the stable job left
    return seen.phase() != Observation.Phase.ROLLING_BACK && (!ofStable || takenBefore);
  }

  /** What the job leaves is given up: it is what is gone back to. */
  private static RestorePoint startedInstead(
      Plan.Restore.Instead instead, @Nullable TakenState taken, Observation seen, String nextJob) {
    RestorePoint point = RestorePoint.of(instead.state(), seen.cluster().jobId(), nextJob);
    StateRef own =
        taken != null && taken.state().pathOrNull() != null ? taken.state() : instead.left();
    RestorePoint leaving = own == null ? point : point.leaving(own);
    RestorePoint before = seen.recorded();
    return before != null && isLater(seen, before) ? leaving.after(before) : leaving;
  }

  private static JobRef job(Observation seen, String jobId) {
    return new JobRef(seen.cluster().ref(), jobId);
  }
}
