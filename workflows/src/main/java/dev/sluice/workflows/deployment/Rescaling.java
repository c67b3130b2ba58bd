package dev.sluice.workflows.deployment;

import static dev.sluice.workflows.operation.StepRunner.doing;

import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.FreezeResult;
import dev.sluice.workflows.activity.FreezeResult.Frozen;
import dev.sluice.workflows.activity.RescaleActivities;
import dev.sluice.workflows.activity.RescaleActivities.Answer;
import dev.sluice.workflows.activity.RescaleActivities.AwaitParallelismRequest;
import dev.sluice.workflows.activity.RescaleActivities.RescaleRequest;
import dev.sluice.workflows.deployment.Outcome.Again;
import dev.sluice.workflows.deployment.Outcome.Failed;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.Observation.Target;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.operation.StepRunner;
import dev.sluice.workflows.plan.UpgradePlanner;
import io.temporal.failure.ActivityFailure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The runbook of a rescale: the job of the last stable spec goes on as that of the newest, with
 * another parallelism. Where that cannot be done, the job is upgraded. As long as the target is not
 * reached, all that was done can be taken back, and is, unless another rescale follows.
 */
final class Rescaling {

  private static final String UNDO = "Require the old parallelism again";
  private static final String PENDING_SAVEPOINT =
      "A savepoint of the job is in progress, which is waited for: it fails when the parallelism"
          + " changes. Annotate with sluice.dev/retry to go on at once.";
  private static final String HELD =
      "%s. An upgrade would stop the job and could not restore its state. Change the spec, or set"
          + " upgradeMode to stateless to start without the state. Annotate with sluice.dev/retry to"
          + " upgrade all the same";

  private final LaneRun run;
  private final OperationContext context;
  private final StepRunner steps;
  private final Runbook runbook;
  private @Nullable String notUndone;
  private long told;

  Rescaling(LaneRun run, Runbook runbook) {
    this.run = run;
    this.context = run.context;
    this.steps = run.steps;
    this.runbook = runbook;
  }

  private static boolean isJobTouched(Observation seen) {
    return seen.recorded() != null || seen.pendingStop() != null;
  }

  /** The spec that was begun is not asked for any more, and the job of the one before runs. */
  boolean isReverted(Observation seen) {
    boolean silent = notUndone != null && !(seen.job() instanceof Alive);
    return seen.begun()
        && seen.newest().problem() == null
        && seen.newest().sameAsStable()
        && seen.cluster().present()
        && !(seen.job() instanceof Ended)
        && !isJobTouched(seen)
        && !silent;
  }

  /** Why it cannot be done in place, as far as was observed; null when it may be. */
  private static @Nullable String problem(Observation seen) {
    if (seen.newest().target().suspended()) {
      return "no job is to run any more";
    }
    if (seen.newest().problem() != null && !seen.begun()) {
      return "the newest spec is not valid";
    }
    if (seen.begun() && seen.newest().sameAsStable()) {
      return "the newest spec is the one before";
    }
    if (!seen.cluster().present() || seen.cluster().jobId() == null) {
      return "there is no JobManager Deployment of a job";
    }
    if (!seen.otherJobs().isEmpty()) {
      return "the cluster runs other jobs";
    }
    if (seen.job() instanceof Ended ended) {
      return "the job is " + ended.state();
    }
    boolean up = seen.job() instanceof Alive job && job.isUp();
    // once it is begun, Flink restarts its tasks
    return up || seen.begun() ? null : "not every task of the job is up";
  }

  /** Brings the newest spec. Null where an upgrade has to do that: it is told why. */
  @Nullable Outcome attempt(Observation first) {
    if (isJobTouched(first)) {
      return null;
    }
    Observation seen = settled(first);
    String problem = problem(seen);
    String job = seen.cluster().jobId();
    if (problem != null || job == null) {
      return byUpgrade(seen, String.valueOf(problem));
    }
    context.safePoint();
    // one that is not valid changes nothing about what was begun
    Target begun = seen.newest().problem() == null ? null : seen.frozen();
    Target goal = begun == null ? seen.newest().target() : begun;
    RescaleRequest request =
        new RescaleRequest(
            context.resource(), new JobRef(seen.cluster().ref(), job), goal.generation());
    if (begun == null) {
      Answer answer =
          steps.run(
              Step.CHECK_RESCALE,
              "Look whether job " + job + " can be scaled in place",
              RescaleActivities.class,
              a -> a.checkRescale(request));
      if (answer.problem() != null) {
        return notNow(seen, Step.CHECK_RESCALE, answer);
      }
      if (!seen.begun() && !run.retry() && UpgradePlanner.awaitsSavepoint(seen, goal)) {
        return new Failed(Step.OBSERVE, new StepFailure(Reasons.BLOCKED, PENDING_SAVEPOINT, true));
      }
    }
    context.safePoint();
    String why = "Only the parallelism differs.";
    context.generations(seen.stableGeneration(), goal.generation());
    FreezeResult result = runbook.freeze(seen, goal, Step.CHANGE_PARALLELISM, why, null, null);
    return result instanceof Frozen frozen
        ? scale(seen, frozen, request)
        : runbook.notFrozen(result, seen);
  }

  /** A job that restarts may be up in a moment, and a savepoint may come to its end. */
  private Observation settled(Observation quick) {
    boolean up = quick.job() instanceof Alive job && job.isUp();
    boolean saved = UpgradePlanner.awaitsSavepoint(quick, quick.newest().target());
    return quick.begun() || (up && !saved) ? quick : run.look(StepLimits.PATIENCE);
  }

  private @Nullable Outcome scale(Observation seen, Frozen frozen, RescaleRequest request) {
    context.safePoint();
    Answer answer =
        steps.run(
            Step.CHANGE_PARALLELISM,
            "Have Flink run the job with the parallelism of generation " + request.generation(),
            RescaleActivities.class,
            a -> a.changeParallelism(request));
    if (answer.problem() != null) {
      return notNow(seen, Step.CHANGE_PARALLELISM, answer);
    }
    Outcome notYet = await(frozen, request);
    if (notYet != null) {
      return notYet;
    }
    context.safePoint();
    // what a lost JobManager would run again is the new spec then
    steps.run(
        Step.UPDATE_CLUSTER,
        "Make the cluster say that it was made from generation " + request.generation(),
        RescaleActivities.class,
        doing(a -> a.updateCluster(request)));
    context.safePoint();
    return runbook.newJob().isStable(frozen, request.job(), true);
  }

  /** What an upgrade cannot do either is no reason to stop the job. */
  private @Nullable Outcome notNow(Observation seen, Step step, Answer answer) {
    return answer.held() && !run.retry()
        ? new Failed(
            step, new StepFailure(Reasons.INVALID_SPEC, HELD.formatted(answer.problem()), false))
        : byUpgrade(seen, String.valueOf(answer.problem()));
  }

  private @Nullable Outcome byUpgrade(Observation seen, String why) {
    context.safePoint();
    boolean unused = undoOnce(seen);
    String message =
        "Not scaled in place: %s. %s follows".formatted(why, context.nextOperation().wire());
    run.tell(Step.OBSERVE, message, EventReasons.NOT_IN_PLACE, null);
    context.done(message);
    context.safePoint();
    return null;
  }

  /** Null once every vertex runs so. */
  private @Nullable Outcome await(Frozen frozen, RescaleRequest request) {
    Duration limit = Duration.ofMillis(frozen.readinessTimeoutMs());
    long deadline = context.in(limit);
    String waiting = "Wait until every vertex runs with the new parallelism";
    if (told != request.generation()) {
      // once it is blocked for that, it stays so until it is reached
      told = request.generation();
      run.tell(Step.AWAIT_PARALLELISM, waiting, null, limit);
    }
    try {
      String runs =
          steps.awaitInterruptibly(
              Step.AWAIT_PARALLELISM,
              waiting,
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
          : new Failed(Step.AWAIT_PARALLELISM, new StepFailure(why.type(), why.message(), true));
    }
  }

  /** Takes back what an operation that is given up may have done, however long that takes. */
  void undo(Observation seen) {
    RescaleRequest request = givenUp(seen);
    if (request != null) {
      steps.run(
          Step.UNDO_RESCALE, UNDO, RescaleActivities.class, doing(a -> a.undoRescale(request)));
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
                true));
  }

  /** As {@link #undo}, once: what follows does not depend on it, and may be what helps. */
  private boolean undoOnce(Observation seen) {
    RescaleRequest request = givenUp(seen);
    if (request == null) {
      return true;
    }
    try {
      notUndone = null;
      return steps.tryOnce(
          Step.UNDO_RESCALE, UNDO, RescaleActivities.class, doing(a -> a.undoRescale(request)));
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
        context.resource().ownsCluster()
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
