package dev.sluice.workflows.deployment;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.FreezeResult;
import dev.sluice.workflows.activity.FreezeResult.Frozen;
import dev.sluice.workflows.activity.RescaleActivities;
import dev.sluice.workflows.activity.RescaleActivities.Answer;
import dev.sluice.workflows.activity.RescaleActivities.AwaitParallelismRequest;
import dev.sluice.workflows.activity.RescaleActivities.RescaleRequest;
import dev.sluice.workflows.activity.ResourceActivities;
import dev.sluice.workflows.activity.StableRequest;
import dev.sluice.workflows.deployment.Outcome.Again;
import dev.sluice.workflows.deployment.Outcome.Failed;
import dev.sluice.workflows.deployment.Outcome.Reached;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.Observation.Target;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationTable;
import dev.sluice.workflows.operation.OutdatedStep;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.operation.StepRunner;
import dev.sluice.workflows.plan.GoalPlanner;
import dev.sluice.workflows.plan.RescalePlanner;
import io.temporal.failure.ActivityFailure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The runbook of a rescale: the job of the last stable spec goes on as that of the newest, with
 * another parallelism. Where that cannot be done, the job is upgraded. As long as the target is not
 * reached, all that was done can be taken back, and is, unless another rescale follows.
 */
final class Rescaling {

  private static final int OFTEN = 5;
  private static final String AWAIT = "Wait until every vertex runs with the new parallelism";
  private static final String UNDO = "Require the old parallelism again";
  private static final String UNDONE = "The old parallelism is required again";
  private static final String PENDING_SAVEPOINT =
      "A savepoint of the job is in progress, which is waited for: it fails when the parallelism"
          + " changes. Annotate with sluice.dev/retry to go on at once.";
  private static final String HELD =
      "%s. An upgrade would stop the job and could not restore its state. Change the spec, or set"
          + " upgradeMode to stateless to start without the state. Annotate with sluice.dev/retry to"
          + " upgrade all the same";

  private final OperationContext context;
  private final StepRunner steps;
  private final ResourceLook look;
  private final RunMemory memory;
  private final GoalPlanner planner;
  private final Runbook runbook;
  private final RescalePlanner rules = new RescalePlanner();
  private @Nullable String notUndone;
  private int timesOutdated;
  private long told;

  Rescaling(
      OperationContext context,
      StepRunner steps,
      ResourceLook look,
      RunMemory memory,
      GoalPlanner planner,
      Runbook runbook) {
    this.context = context;
    this.steps = steps;
    this.look = look;
    this.memory = memory;
    this.planner = planner;
    this.runbook = runbook;
  }

  /**
   * The cluster, or the parallelism, is not as it was when a rescale was planned.
   *
   * @return why the run is held, where that happens again and again: each time the tasks of the job
   *     start anew
   */
  @Nullable Failed outdated(OutdatedStep step) {
    boolean rescales = context.operation().equals(OperationType.RESCALE.wire());
    if (!rescales || ++timesOutdated % OFTEN != 0) {
      return null;
    }
    String why =
        "Somebody else changes the parallelism, or the cluster, again and again: "
            + step.getMessage();
    return new Failed(Step.OBSERVE, new StepFailure(Reasons.BLOCKED, why, true), false);
  }

  private static boolean isJobTouched(Observation seen) {
    return seen.recorded() != null || seen.pendingStop() != null;
  }

  /** The spec that was begun is not asked for any more, and the job of the one before runs. */
  boolean isReverted(Observation seen) {
    boolean silent = notUndone != null && !(seen.job() instanceof Alive);
    return rules.isReverted(seen) && !isJobTouched(seen) && !silent;
  }

  /** Brings the newest spec. Null where an upgrade has to do that: it is told why. */
  @Nullable Outcome attempt(Observation first) {
    if (isJobTouched(first)) {
      return null;
    }
    Observation seen = settled(first);
    String job = seen.cluster().jobId();
    String problem = rules.problem(seen);
    if (problem != null || job == null) {
      return byUpgrade(seen, problem == null ? "it is not known which job runs" : problem);
    }
    context.safePoint();
    Target goal = rules.goal(seen);
    RescaleRequest request =
        new RescaleRequest(
            context.resource(), new JobRef(seen.cluster().ref(), job), goal.generation());
    if (goal.equals(seen.newest().target())) {
      Answer answer = check(request);
      if (answer.problem() != null) {
        return notNow(seen, Step.CHECK_RESCALE, answer);
      }
      if (!seen.begun() && !memory.retry() && planner.awaitsSavepoint(seen, goal)) {
        return new Failed(
            Step.OBSERVE, new StepFailure(Reasons.BLOCKED, PENDING_SAVEPOINT, true), false);
      }
    }
    context.safePoint();
    String why = "Only the parallelism differs.";
    FreezeResult result = runbook.freeze(seen, goal, Step.CHANGE_PARALLELISM, why, null, null);
    return result instanceof Frozen frozen
        ? scale(seen, frozen, request)
        : runbook.notFrozen(result, seen);
  }

  /** A job that restarts may be up in a moment, and a savepoint may come to its end. */
  private Observation settled(Observation quick) {
    boolean up = quick.job() instanceof Alive job && job.isUp();
    boolean saved = planner.awaitsSavepoint(quick, quick.newest().target());
    return quick.begun() || (up && !saved) ? quick : look.observe(StepLimits.PATIENCE);
  }

  private @Nullable Outcome scale(Observation seen, Frozen frozen, RescaleRequest request) {
    context.safePoint();
    Answer answer = require(request);
    if (answer.problem() != null) {
      return notNow(seen, Step.CHANGE_PARALLELISM, answer);
    }
    Outcome notYet = await(frozen, request);
    if (notYet != null) {
      return notYet;
    }
    context.safePoint();
    updateCluster(request);
    context.safePoint();
    markStable(frozen, request);
    return new Reached(frozen);
  }

  /** What an upgrade cannot do either is no reason to stop the job. */
  private @Nullable Outcome notNow(Observation seen, Step step, Answer answer) {
    return answer.held() && !memory.retry()
        ? new Failed(
            step,
            new StepFailure(Reasons.INVALID_SPEC, HELD.formatted(answer.problem()), false),
            false)
        : byUpgrade(seen, String.valueOf(answer.problem()));
  }

  private @Nullable Outcome byUpgrade(Observation seen, String why) {
    context.safePoint();
    boolean unused = undoOnce(seen);
    String message = "Not scaled in place: %s. %s follows".formatted(why, context.forward().wire());
    steps.report(
        context.report(
            OperationState.RUNNING, Step.OBSERVE, null, message, EventReasons.NOT_IN_PLACE));
    context.done(message);
    context.safePoint();
    return null;
  }

  /** What speaks against it, if anything does. */
  private Answer check(RescaleRequest request) {
    return steps.run(
        Step.CHECK_RESCALE,
        "Look whether job " + request.job().jobId() + " can be scaled in place",
        RescaleActivities.class,
        a -> a.checkRescale(request));
  }

  /** What speaks against it by now, or why Flink refuses it, if anything does. */
  private Answer require(RescaleRequest request) {
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

  /** Null once every vertex runs so. */
  private @Nullable Outcome await(Frozen frozen, RescaleRequest request) {
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
      return null;
    } catch (ActivityFailure failed) {
      StepFailure why = steps.failure(failed);
      // the job runs with what slots there are
      return why.type().equals(FailureType.JOB_FAILED)
          ? new Again()
          : new Failed(
              Step.AWAIT_PARALLELISM, new StepFailure(why.type(), why.message(), true), false);
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
  private void updateCluster(RescaleRequest request) {
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
  private void markStable(Frozen frozen, RescaleRequest request) {
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
                  true));
          return true;
        });
    context.done("Generation " + generation + " is stable");
  }

  /** Takes back what an operation that is given up may have done, however long that takes. */
  void undo(Observation seen) {
    RescaleRequest request = givenUp(seen);
    if (request != null) {
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
  }

  /**
   * Tries to take it back, because it is not asked for any more.
   *
   * @return why the run is held; null when it is taken back
   */
  @Nullable Failed revert(Observation seen) {
    return undoOnce(seen)
        ? null
        : new Failed(
            Step.UNDO_RESCALE,
            new StepFailure(
                FailureType.CLUSTER_NOT_READY,
                "The old parallelism is not required again: " + notUndone,
                true),
            false);
  }

  /** As {@link #undo}, once: what follows does not depend on it, and may be what helps. */
  boolean undoOnce(Observation seen) {
    RescaleRequest request = givenUp(seen);
    if (request == null) {
      return true;
    }
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
      notUndone = null;
      context.done(UNDONE);
      return done;
    } catch (ActivityFailure failed) {
      notUndone = steps.describe(failed);
      context.done("The old parallelism is not required again: " + notUndone);
      return false;
    }
  }

  /** Null when there is no job whose parallelism could have been changed. */
  private @Nullable RescaleRequest givenUp(Observation seen) {
    String job = seen.cluster().jobId();
    boolean mayBeChanged =
        OperationTable.ownsCluster(context.resource().kind())
            && seen.phase() == Phase.UPGRADING
            && !seen.isSession()
            && !isJobTouched(seen)
            && seen.cluster().present()
            && !(seen.job() instanceof Ended);
    return job == null || !mayBeChanged
        ? null
        : new RescaleRequest(
            context.resource(), new JobRef(seen.cluster().ref(), job), context.target());
  }
}
