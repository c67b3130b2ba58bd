package dev.sluice.workflows.procedure;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.PendingStop;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.workflows.activity.JobActivities;
import dev.sluice.workflows.activity.JobActivities.CancelRequest;
import dev.sluice.workflows.activity.JobActivities.CancelRequest.OnlyIf;
import dev.sluice.workflows.activity.JobActivities.StopRequest;
import dev.sluice.workflows.activity.JobActivities.TakenState;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.JobObservation.Absent;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.JobObservation.Unreachable;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.Ids;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.operation.StepRunner;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Ends a job that is being deleted, and keeps its state where the spec asks for that: by a
 * savepoint if the job can take one, else by its newest checkpoint. The result is reported in the
 * status, in an event and in the details before anything is destroyed, and the deletion goes on in
 * any case.
 */
final class FinalSavepoint {

  /** Longer than a job that is thrown away gets: its checkpoint is all that is left of it. */
  private static final Duration CANCEL = Duration.ofMinutes(1);

  private final OperationContext context;
  private final StepRunner steps;
  private final Assessor assessor;
  private final Step next;
  private @Nullable String endedJob;

  /**
   * @param next the step that follows
   */
  FinalSavepoint(OperationContext context, StepRunner steps, Assessor assessor, Step next) {
    this.context = context;
    this.steps = steps;
    this.assessor = assessor;
    this.next = next;
  }

  /**
   * Never fails for what Flink does.
   *
   * @param first what was observed, with {@link Observation#deletionSavepointMs} above 0
   * @return the state that is left; null when none is known
   */
  @Nullable StateRef keep(Observation first) {
    RestorePoint left = first.recorded();
    if (!first.begun() && left != null) {
      return told(
          left.state(), EventReasons.SUSPENDED, "No savepoint is needed: the job is suspended");
    }
    Observation seen =
        !first.cluster().present() || isSettled(first.job())
            ? first
            : assessor.observe(StepLimits.PATIENCE);
    if (seen.job() instanceof Alive alive) {
      return alive.isUp() || pendingTrigger(seen, alive) != null
          ? stop(seen, alive, first.deletionSavepointMs())
          : cancel(
              seen,
              alive,
              "No savepoint is possible: the job is %s, %s"
                  .formatted(alive.state(), alive.tasks().display()));
    }
    if (seen.job() instanceof Ended ended) {
      return ended(seen, ended);
    }
    return kept(seen, null, "No savepoint was taken: " + withoutJob(seen.job()));
  }

  /** The job that Flink has ended by that; null when it has not. */
  @Nullable String endedJob() {
    return endedJob;
  }

  private static @Nullable String pendingTrigger(Observation seen, Alive job) {
    PendingStop pending = seen.pendingStop();
    return pending == null ? null : pending.triggerOf(job.jobId());
  }

  private static boolean isSettled(JobObservation job) {
    return job instanceof Alive alive ? alive.isUp() : !(job instanceof Unreachable);
  }

  private @Nullable StateRef stop(Observation seen, Alive job, long savepointTimeoutMs) {
    long deadline = context.in(StepLimits.savepoint(savepointTimeoutMs));
    long since = Workflow.currentTimeMillis();
    String inFlight = pendingTrigger(seen, job);
    String triggerId =
        inFlight == null
            ? Ids.derive(Workflow.getInfo().getOriginalExecutionRunId(), "stop", 1)
            : inFlight;
    steps.report(
        context
            .report(
                OperationState.RUNNING,
                Step.STOP_WITH_SAVEPOINT,
                null,
                "Taking a savepoint before the deletion",
                null)
            .withDeadlineMs(deadline));
    try {
      TakenState taken =
          steps.runOnce(
              Step.STOP_WITH_SAVEPOINT,
              "Stop job " + job.jobId() + " with a savepoint, as the spec requires",
              deadline,
              JobActivities.class,
              a ->
                  a.stopWithSavepoint(
                      new StopRequest(
                          context.resource(),
                          ref(seen, job.jobId()),
                          triggerId,
                          since,
                          deadline,
                          true)));
      endedJob = job.jobId();
      return told(
          taken.state(),
          taken.savepoint(),
          EventReasons.SUSPENDED,
          "The job was stopped, " + taken.how());
    } catch (ActivityFailure failure) {
      return cancel(seen, job, "No savepoint could be taken: " + steps.describe(failure));
    }
  }

  private @Nullable StateRef cancel(Observation seen, Alive job, String why) {
    long deadline = context.in(CANCEL);
    try {
      TakenState taken =
          steps.runOnce(
              Step.CANCEL_JOB,
              "Cancel job " + job.jobId() + ", keep its newest checkpoint",
              deadline,
              JobActivities.class,
              a ->
                  a.cancelJob(
                      new CancelRequest(
                          context.resource(),
                          ref(seen, job.jobId()),
                          OnlyIf.STATE_IS_KEPT,
                          deadline)));
      endedJob = job.jobId();
      return kept(seen, taken.state(), why);
    } catch (ActivityFailure failure) {
      return kept(
          seen, job.newest(), why + "; and the job was not cancelled: " + steps.describe(failure));
    }
  }

  /** A job that was stopped before, by an upgrade say, has left what it was stopped with. */
  private @Nullable StateRef ended(Observation seen, Ended job) {
    if (job.state() == FlinkJobState.FINISHED && job.newest().pathOrNull() != null) {
      return told(job.newest(), EventReasons.SUSPENDED, "The job was already stopped");
    }
    return kept(seen, job.newest(), "No savepoint was taken: the job is " + job.state());
  }

  /** There is no savepoint; perhaps there is another state, of the run or of the resource. */
  private @Nullable StateRef kept(Observation seen, @Nullable StateRef found, String why) {
    RestorePoint recorded =
        seen.recorded() == null ? context.input().restorePoint() : seen.recorded();
    boolean usable = found != null && found.pathOrNull() != null;
    StateRef state = usable ? found : recorded == null ? null : recorded.state();
    boolean path = state != null && state.pathOrNull() != null;
    String what = path ? "; its newest known state is kept" : "; no state of the job is known";
    return told(path ? state : null, EventReasons.SAVEPOINT_ERROR, why + what);
  }

  private @Nullable StateRef told(@Nullable StateRef state, String event, String what) {
    return told(state, null, event, what);
  }

  /**
   * @param taken the savepoint, where Flink says that this operation took it
   */
  private @Nullable StateRef told(
      @Nullable StateRef state, @Nullable Savepoint taken, String event, String what) {
    String message = state == null ? what : what + ": " + state.display();
    if (state != null) {
      context.state(state);
    }
    context.done(message);
    steps.report(
        context
            .report(OperationState.RUNNING, next, null, message, event)
            .withTaken(taken)
            .withDeadlineMs(context.in(DeleteProcedure.GONE)));
    return state;
  }

  private static String withoutJob(JobObservation job) {
    if (job instanceof Unreachable unreachable) {
      return unreachable.why();
    }
    return job instanceof Absent ? "the JobManager has no job" : "no job was ever started";
  }

  private static JobRef ref(Observation seen, String jobId) {
    return new JobRef(seen.cluster().ref(), jobId);
  }
}
