package dev.sluice.workflows.deployment;

import dev.sluice.api.common.OperationState;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.FreezeResult.Frozen;
import dev.sluice.workflows.activity.ResourceActivities;
import dev.sluice.workflows.activity.ResourceActivities.ObserveRequest;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.JobObservation.NeverStarted;
import dev.sluice.workflows.model.JobObservation.Unreachable;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepRunner;
import dev.sluice.workflows.operation.StepRunner.Wake;
import dev.sluice.workflows.plan.GoalPlanner.Tried;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the parts of an operation share: the run and its steps, the look at the resource, and what
 * was tried. Nothing is lost with what is remembered here: a run that takes over tries once more
 * what this one has tried.
 */
final class LaneRun {

  final OperationContext context;
  final StepRunner steps;
  private boolean retry;
  private @Nullable String failedStop;
  private @Nullable String lostJob;
  private @Nullable String givenUpFor;
  private @Nullable Frozen frozen;

  LaneRun(OperationContext context, StepRunner steps) {
    this.context = context;
    this.steps = steps;
    this.retry = context.input().retry();
    this.lostJob = context.input().lostJob();
  }

  // ---- the resource, its cluster and its job ----

  /** At once. */
  Observation look() {
    return look(Duration.ZERO);
  }

  /**
   * @param patience how long to wait while the state of the job cannot be determined
   */
  Observation look(Duration patience) {
    ObserveRequest request = new ObserveRequest(context.resource(), patience.toMillis());
    Observation seen =
        patience.isZero()
            ? steps.run(
                Step.OBSERVE,
                "Observe the resource, its cluster and its job",
                ResourceActivities.class,
                a -> a.observe(request))
            : steps.runToCompletion(
                Step.OBSERVE,
                "Wait until the job settles, at most " + patience.toSeconds() + " s",
                patience,
                ResourceActivities.class,
                (a, deadline) -> a.observe(request));
    context.nextOperation(seen.operation());
    context.job(jobForPeople(seen));
    return seen;
  }

  private static String jobForPeople(Observation seen) {
    if (seen.job() instanceof Alive alive) {
      return alive.display();
    }
    if (seen.job() instanceof Ended ended) {
      return "The job is " + ended.state() + ".";
    }
    if (seen.job() instanceof Unreachable unreachable) {
      return "It is not known whether the job runs: " + unreachable.why() + ".";
    }
    return seen.job() instanceof NeverStarted
        ? "No job was started yet."
        : "The JobManager answers but has no job.";
  }

  // ---- what the status says of the run ----

  /** The run goes on with a short step. */
  void tell(Step step, String message) {
    tell(step, message, null, null);
  }

  /**
   * The run goes on.
   *
   * @param event to emit; null for none
   * @param limit how long the step may take; null when it is short
   */
  void tell(Step step, String message, @Nullable String event, @Nullable Duration limit) {
    steps.report(
        context
            .report(OperationState.RUNNING, step, null, message, event)
            .withDeadlineMs(limit == null ? null : context.in(limit)));
  }

  /** Holds the run once. Whether a retry was requested is remembered. */
  void hold(Step step, StepFailure why, boolean offersRestoreFrom) {
    retry = steps.hold(step, why, offersRestoreFrom) == Wake.RETRY;
  }

  // ---- what was tried ----

  /** What decisions depend on. */
  Tried tried() {
    return new Tried(false, retry, failedStop, lostJob);
  }

  /** Whether a retry was requested, with the run or while it was held, and is not answered. */
  boolean retry() {
    return retry;
  }

  void retry(boolean requested) {
    retry = requested;
  }

  /** Whether the user accepts the job as it is now, whatever became of an earlier stop of it. */
  boolean stopsAnew() {
    return retry && FailureType.STATE_NOT_FOUND.equals(failedStop);
  }

  /** The job could not be stopped, for that reason. */
  void stopFailed(String type) {
    failedStop = type;
  }

  /** Another spec is to be reached: a savepoint that failed may succeed for it. */
  void superseded() {
    retry = false;
    givenUpFor = null;
    failedStop = FailureType.SAVEPOINT_FAILED.equals(failedStop) ? null : failedStop;
  }

  @Nullable String lostJob() {
    return lostJob;
  }

  /** That job was cancelled, or had ended, and its newest state was not found. */
  void lost(String job) {
    lostJob = job;
  }

  /** The newer spec is given up for the one before. */
  void gaveUp(String why) {
    givenUpFor = why;
  }

  /** Suffix of the last message: why a newer spec was given up; empty when none was. */
  String givenUp() {
    return givenUpFor == null ? "" : ". The newer spec was given up: " + givenUpFor;
  }

  /** The state to go on from is recorded: it was found, or chosen. */
  void recorded() {
    retry = false;
    failedStop = null;
    lostJob = null;
  }

  /** The target as it was frozen, or found frozen, by this run; null before. */
  @Nullable Frozen frozen() {
    return frozen;
  }

  /** What this run has frozen, if that is of the generation; else null. */
  @Nullable Frozen frozen(long generation) {
    return frozen != null && frozen.target().generation() == generation ? frozen : null;
  }

  void frozen(@Nullable Frozen target) {
    frozen = target;
  }
}
