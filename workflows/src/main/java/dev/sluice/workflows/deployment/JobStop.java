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
import dev.sluice.workflows.plan.Plan.Suspend.How;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Suspends the old job as planned, and says what is recorded of what it leaves. */
final class JobStop {

  /** Flink's default of {@code execution.checkpointing.timeout}. */
  private static final Duration SAVEPOINT_TIMEOUT = Duration.ofMinutes(10);

  private final OperationContext context;
  private final StepRunner steps;
  private int stops;

  JobStop(LaneRun run) {
    this.context = run.context;
    this.steps = run.steps;
  }

  /** The step that carries the plan's suspension out. */
  static Step step(Plan plan) {
    return switch (plan.suspend().how()) {
      case STOP_WITH_SAVEPOINT -> Step.STOP_WITH_SAVEPOINT;
      case CANCEL_AND_KEEP_CHECKPOINT, DISCARD, DISCARD_UNPROGRESSED -> Step.CANCEL_JOB;
      case SESSION_JOBS -> Step.SUSPEND_SESSION_JOBS;
      // a job that is left to its metadata is suspended by what deletes its cluster
      case NONE, KEEP_HA_METADATA -> Step.RECORD_STATE;
    };
  }

  /** How long the suspension may take; null when it is none. */
  static @Nullable Duration limit(Plan plan, Observation seen) {
    if (plan.suspend().endedJob() == null) {
      return null;
    }
    return plan.suspend().how() == How.STOP_WITH_SAVEPOINT
        ? savepointLimit(seen)
        : StepLimits.CANCEL;
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
    boolean takesSavepoint = plan.suspend().how() == How.STOP_WITH_SAVEPOINT;
    if (job == null) {
      return pending;
    }
    PendingStop same = pending != null && job.equals(pending.jobId()) ? pending : null;
    if (same != null && (!takesSavepoint || (same.triggerId() != null && !anew))) {
      return same;
    }
    String trigger =
        takesSavepoint
            ? Ids.derive(Workflow.getInfo().getOriginalExecutionRunId(), "stop", ++stops)
            : null;
    String begun = same != null && !anew ? same.since() : null;
    return new PendingStop(
        job,
        trigger,
        begun == null ? Instant.ofEpochMilli(Workflow.currentTimeMillis()).toString() : begun);
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
    String job = plan.suspend().endedJob();
    if (job == null) {
      return null;
    }
    JobRef ref = new JobRef(seen.cluster().ref(), job);
    return switch (plan.suspend().how()) {
      case STOP_WITH_SAVEPOINT -> stopWithSavepoint(seen, ref, Objects.requireNonNull(stop));
      case CANCEL_AND_KEEP_CHECKPOINT ->
          cancel(ref, OnlyIf.PROGRESS_IS_KEPT, begunAt(seen, job), "keep its newest checkpoint");
      case DISCARD_UNPROGRESSED ->
          cancel(ref, OnlyIf.NOT_PROGRESSED, 0, "which has not progressed");
      default -> cancel(ref, OnlyIf.ANY_CASE, 0, "its state is not needed");
    };
  }

  /**
   * Whether a savepoint since the last freeze may be the one that the job was stopped with. A job
   * that its JobManager does not know any more was stopped by this operation only, if at all: one
   * that is found from before may be any snapshot of it.
   */
  private static boolean mayBeStopped(Observation seen) {
    return seen.begunAtMs() > 0
        && (seen.job() instanceof Ended || (seen.begun() && !(seen.job() instanceof Alive)));
  }

  private TakenState stopWithSavepoint(Observation seen, JobRef job, PendingStop stop) {
    String triggerId = Objects.requireNonNull(stop.triggerId());
    long since = mayBeStopped(seen) ? seen.begunAtMs() : stop.sinceMs();
    long deadline = context.in(savepointLimit(seen));
    context.job("Job " + job.jobId() + " is being stopped; the outcome is not known yet.");
    TakenState taken =
        steps.awaitUnlessDeleted(
            Step.STOP_WITH_SAVEPOINT,
            "Stop job " + job.jobId() + " with a savepoint",
            deadline,
            JobActivities.class,
            a ->
                a.stopWithSavepoint(
                    new StopRequest(context.resource(), job, triggerId, since, deadline)));
    context.job("Job " + job.jobId() + " is stopped.");
    context.done("Job stopped, " + taken.how() + ": " + taken.state().display());
    return taken;
  }

  private TakenState cancel(JobRef job, OnlyIf onlyIf, long begunAtMs, String what) {
    long deadline = context.in(StepLimits.CANCEL);
    context.job("Job " + job.jobId() + " is being cancelled; the outcome is not known yet.");
    TakenState taken =
        steps.awaitUnlessDeleted(
            Step.CANCEL_JOB,
            "Cancel job %s, %s".formatted(job.jobId(), what),
            deadline,
            JobActivities.class,
            a ->
                a.cancelJob(
                    new CancelRequest(context.resource(), job, onlyIf, begunAtMs, deadline)));
    context.job("Job " + job.jobId() + " is cancelled.");
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
    StateRef planned = plan.restore().state();
    return planned == null
        ? Objects.requireNonNull(taken, "nothing is suspended").state()
        : planned;
  }

  /** What is recorded before the new job is started from that state. */
  static RestorePoint restorePoint(
      Plan plan, @Nullable TakenState taken, Observation seen, StateRef from, String nextJob) {
    RestorePoint before = seen.recorded();
    String there = seen.cluster().jobId();
    boolean initial = plan.restore() instanceof Plan.Restore.From named && named.initial();
    if (before != null && plan.teardown().onlyWhile() != null) {
      // a job that has not progressed is replaced
      return before.again(there, nextJob).initial(from, initial);
    }
    // what a suspended job left is still that job's
    String given =
        before != null && there == null && from.equals(before.state()) ? before.takenFrom() : there;
    RestorePoint point = RestorePoint.of(from, given, nextJob).initial(from, initial);
    if (plan.restore() instanceof Plan.Restore.Instead instead) {
      // what the job leaves is given up: it is what is gone back to
      StateRef own =
          taken != null && taken.state().pathOrNull() != null ? taken.state() : instead.left();
      RestorePoint chosen = RestorePoint.of(from, there, nextJob);
      point = own == null ? chosen : chosen.leaving(own);
    }
    return before != null && !initial && isLater(seen, before) ? point.after(before) : point;
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
}
