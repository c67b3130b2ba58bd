package dev.sluice.workflows.procedure;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.FreezeResult.Frozen;
import dev.sluice.workflows.activity.RescaleActivities;
import dev.sluice.workflows.activity.RescaleActivities.Answer;
import dev.sluice.workflows.activity.RescaleActivities.AwaitParallelismRequest;
import dev.sluice.workflows.activity.RescaleActivities.RescaleRequest;
import dev.sluice.workflows.activity.ResourceActivities;
import dev.sluice.workflows.activity.StableRequest;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepRunner;
import io.temporal.failure.ActivityFailure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The steps of a rescale, one by one. */
final class ParallelismChange {

  private static final String AWAIT = "Wait until every vertex runs with the new parallelism";
  private static final String UNDO = "Require the old parallelism again";
  private static final String UNDONE = "The old parallelism is required again";

  private final OperationContext context;
  private final StepRunner steps;
  private String notUndone = "it was not tried";
  private long told;

  ParallelismChange(OperationContext context, StepRunner steps) {
    this.context = context;
    this.steps = steps;
  }

  /** What speaks against it, if anything does. */
  Answer check(RescaleRequest request) {
    return steps.run(
        Step.CHECK_RESCALE,
        "Look whether job " + request.job().jobId() + " can be scaled in place",
        RescaleActivities.class,
        a -> a.checkRescale(request));
  }

  /** What speaks against it by now, or why Flink refuses it, if anything does. */
  Answer require(RescaleRequest request) {
    String what = "the job with the parallelism of generation " + request.generation();
    Answer answer =
        steps.run(
            Step.CHANGE_PARALLELISM,
            "Have Flink run " + what,
            RescaleActivities.class,
            a -> a.changeParallelism(request));
    if (answer.problem() == null) {
      context.done("Flink is to run " + what);
    }
    return answer;
  }

  /** The job runs on as it does. Whether an upgrade was asked for all the same. */
  boolean isUpgradeAsked(Step step, Answer answer) {
    String message =
        "%s. An upgrade would stop the job and could not restore its state. Change the spec, or set upgradeMode to stateless to start without the state. Annotate with sluice.dev/retry to upgrade all the same"
            .formatted(answer.problem());
    StepFailure why = new StepFailure(Reasons.INVALID_SPEC, message, false);
    return steps.hold(step, why, false) == StepRunner.Wake.RETRY;
  }

  /** Whether every vertex runs so; false when it has to begin again. */
  boolean await(Frozen frozen, RescaleRequest request) {
    long deadline = context.in(Duration.ofMillis(frozen.readinessTimeoutMs()));
    tell(request.generation(), deadline);
    try {
      String runs =
          steps.awaitInterruptibly(
              Step.AWAIT_PARALLELISM,
              AWAIT,
              deadline,
              RescaleActivities.class,
              a -> a.awaitParallelism(new AwaitParallelismRequest(request, deadline)));
      context.done("Every vertex runs with the new parallelism (" + runs + ")");
      return true;
    } catch (ActivityFailure failed) {
      StepFailure why = steps.failure(failed);
      if (!why.type().equals(FailureType.JOB_FAILED)) {
        // the job runs with what slots there are
        StepFailure passing = new StepFailure(why.type(), why.message(), true);
        StepRunner.Wake unused = steps.hold(Step.AWAIT_PARALLELISM, passing, false);
      }
      return false;
    }
  }

  /** Once it is blocked for that, it stays so until it is reached. */
  private void tell(long generation, long deadline) {
    if (told != generation) {
      told = generation;
      String waiting = "Waiting until every vertex runs with the new parallelism";
      steps.report(
          context
              .report(OperationState.RUNNING, Step.AWAIT_PARALLELISM, null, waiting, null)
              .withDeadlineMs(deadline));
    }
  }

  /** What a lost JobManager would run again is the new spec then. */
  void update(RescaleRequest request) {
    long generation = request.generation();
    steps.run(
        Step.UPDATE_CLUSTER,
        "Make the cluster say that it was made from generation " + generation,
        RescaleActivities.class,
        a -> {
          a.updateCluster(request);
          return true;
        });
    context.done("A JobManager that is lost runs generation " + generation + " again");
  }

  /** The job of the spec before is that of the target. */
  void markStable(Frozen frozen, RescaleRequest request, @Nullable RestorePoint startedFrom) {
    long generation = request.generation();
    String message = "Generation %d is deployed: %s".formatted(generation, frozen.summary());
    steps.run(
        Step.MARK_STABLE,
        "Mark generation " + generation + " as stable",
        ResourceActivities.class,
        a -> {
          a.markStable(
              new StableRequest(
                  context.report(OperationState.SUCCEEDED, Step.MARK_STABLE, null, message, null),
                  request.job().jobId(),
                  new StableRequest.InPlace(startedFrom)));
          return true;
        });
    context.done("Generation " + generation + " is stable");
  }

  /** Takes it back, however long that takes. */
  void undo(RescaleRequest request) {
    steps.run(
        Step.UNDO_RESCALE,
        UNDO,
        RescaleActivities.class,
        a -> {
          a.undoRescale(request);
          return true;
        });
    context.done(UNDONE);
  }

  /** Why it was not taken back when that was tried last. */
  String notUndone() {
    return notUndone;
  }

  /** Tries to take it back. False when it is not known whether that was done. */
  boolean undoOnce(RescaleRequest request) {
    try {
      boolean done =
          steps.tryOnce(
              Step.UNDO_RESCALE,
              UNDO,
              RescaleActivities.class,
              a -> {
                a.undoRescale(request);
                return true;
              });
      context.done(UNDONE);
      return done;
    } catch (ActivityFailure failed) {
      notUndone = steps.describe(failed);
      context.done("The old parallelism is not required again: " + notUndone);
      return false;
    }
  }
}
