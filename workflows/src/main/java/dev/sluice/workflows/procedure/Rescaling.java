package dev.sluice.workflows.procedure;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.FreezeResult;
import dev.sluice.workflows.activity.FreezeResult.Frozen;
import dev.sluice.workflows.activity.RescaleActivities.Answer;
import dev.sluice.workflows.activity.RescaleActivities.RescaleRequest;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Target;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.operation.HandOver;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.OutdatedStep;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.operation.StepRunner;
import dev.sluice.workflows.plan.Decision;
import dev.sluice.workflows.plan.RescalePlanner;
import dev.sluice.workflows.plan.UpgradePlanner;
import dev.sluice.workflows.procedure.Assessor.Goal;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The runbook of Rescale: the job of the last stable spec goes on as that of the newest, with
 * another parallelism. Where that cannot be done, an Upgrade follows. As long as the target is not
 * reached, all that was done can be taken back, and is, unless another rescale follows.
 */
final class Rescaling {

  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final int OFTEN = 5;
  private static final String PENDING_SAVEPOINT =
      "A savepoint of the job is in progress, which is waited for: it fails when the parallelism"
          + " changes. Annotate with sluice.dev/retry to go on at once.";

  private final OperationContext context;
  private final StepRunner steps;
  private final TargetProcedure target;
  private final TargetFreezing freezing;
  private final Assessor assessor;
  private final ParallelismChange change;
  private final UpgradePlanner planner = new UpgradePlanner();
  private final RescalePlanner rules = new RescalePlanner();
  private @Nullable RestorePoint startedFrom;
  private @Nullable Long frozenByUs;
  private @Nullable Frozen marked;
  private boolean begun;
  private int timesOutdated;
  private boolean savepointMayFail;
  private boolean maybeChanged;
  private boolean silent;

  /**
   * @param target is told what is seen and frozen, for an abort
   */
  Rescaling(OperationContext context, StepRunner steps, TargetProcedure target) {
    this.context = context;
    this.steps = steps;
    this.target = target;
    this.freezing = new TargetFreezing(context, steps);
    this.assessor = new Assessor(context, steps, Goal.NEWEST);
    this.change = new ParallelismChange(context, steps);
    this.startedFrom = context.input().jobUntouched() ? context.input().restorePoint() : null;
    context.beginAnew(this::beginAnew);
  }

  private void beginAnew() {
    OperationResult unused =
        HandOver.to(
            OperationType.RESCALE,
            context
                .next(context.target(), "the history is long", startedFrom)
                .withJobUntouched(isOnlyOperation()));
  }

  /** What the job was started from; null when that is not known. */
  @Nullable RestorePoint startedFrom() {
    return startedFrom;
  }

  /**
   * Whether no other operation than rescales was begun since the last stable spec, and what follows
   * finds the job as that left it.
   */
  boolean isOnlyOperation() {
    Observation seen = target.last();
    if (maybeChanged || seen == null) {
      return !maybeChanged && context.input().jobUntouched();
    }
    // a run that was reset cannot tell a stop of a later one from an end by itself
    return (begun || !seen.begun()) && !(seen.job() instanceof Ended);
  }

  /**
   * Returns when the target is reached; null when another operation is under way. An Upgrade that
   * is to do it instead is a run of its own.
   */
  @Nullable End reach() {
    while (true) {
      try {
        Observation seen = observe(Duration.ZERO);
        End end = isOfOthers(seen) ? null : attempt(seen);
        if (end != null) {
          return end;
        }
        if (isOfOthers(target.last())) {
          return null;
        }
      } catch (OutdatedStep outdated) {
        context.done("Observing again: " + outdated.getMessage());
        context.beginAnewIfLong();
        holdIfOften(outdated);
      }
      Workflow.sleep(PAUSE);
    }
  }

  /** Each time the tasks of the job start anew. */
  private void holdIfOften(OutdatedStep outdated) {
    if (++timesOutdated % OFTEN == 0) {
      String why =
          "Somebody else changes the parallelism, or the cluster, again and again: "
              + outdated.getMessage();
      StepFailure failure = new StepFailure(Reasons.BLOCKED, why, true);
      StepRunner.Wake unused = steps.hold(Step.OBSERVE, failure, false);
    }
  }

  private Observation observe(Duration patience) {
    Observation seen = assessor.observe(patience);
    Target frozen = seen.frozen();
    Long generation = seen.begun() && frozen != null ? frozen.generation() : null;
    if (target.last() == null && context.input().jobUntouched() && isEarlier(generation)) {
      frozenByUs = generation;
    }
    // no rescale records a state; a run that was reset remembers what has ended since
    begun = generation != null && generation.equals(frozenByUs) && seen.recorded() == null;
    target.saw(seen);
    context.signals().holdAbort(isOfOthers(seen));
    if (!isOfOthers(seen)) {
      startedFrom = startedFrom == null ? seen.startedFrom() : startedFrom;
    }
    return seen;
  }

  /** What a run before this one can have frozen. */
  private boolean isEarlier(@Nullable Long generation) {
    return generation != null && generation <= context.input().generation();
  }

  private boolean isOfOthers(@Nullable Observation seen) {
    return seen != null && seen.begun() && !begun;
  }

  /** Null when it has to begin again. */
  private @Nullable End attempt(Observation first) {
    if (!first.begun() && first.newest().sameAsFrozen()) {
      String why = "Generation " + first.newest().target().generation() + " is already deployed.";
      return new End.Nothing(new Decision.UpToDate(why), first.newest().target().generation());
    }
    if (first.isNewestGivenUp() && !context.input().retry()) {
      return new End.Nothing(UpgradePlanner.givenUp(first), first.newest().target().generation());
    }
    if (rules.isReverted(first) && !silent) {
      if (!undoIfPossible()) {
        return holdForUndo();
      }
      String why = "The newest spec is the one that runs; the job was not stopped.";
      return new End.Nothing(new Decision.Reverted(why), first.newest().target().generation());
    }
    Observation seen = settled(first);
    if (isOfOthers(seen)) {
      return null;
    }
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
      Answer answer = change.check(request);
      if (answer.problem() != null) {
        return notNow(seen, Step.CHECK_RESCALE, answer);
      }
      if (isSavepointAwaited(seen, goal)) {
        return null;
      }
    }
    context.safePoint();
    Frozen frozen = freeze(seen, goal);
    return frozen == null ? null : scale(seen, frozen, request);
  }

  /** One that never answers again is for the Upgrade, which goes by what it left. */
  private @Nullable End holdForUndo() {
    String why = "The old parallelism is not required again: " + change.notUndone();
    StepFailure failure = new StepFailure(FailureType.CLUSTER_NOT_READY, why, true);
    StepRunner.Wake unused = steps.hold(Step.UNDO_RESCALE, failure, false);
    maybeChanged = false;
    silent = !(observe(Duration.ZERO).job() instanceof Alive);
    return null;
  }

  /** A job that restarts may be up in a moment, and a savepoint may come to its end. */
  private Observation settled(Observation quick) {
    boolean up = quick.job() instanceof Alive job && job.isUp();
    boolean saved = planner.awaitsSavepoint(quick, quick.newest().target());
    return begun || (up && !saved) ? quick : observe(StepLimits.PATIENCE);
  }

  private boolean isSavepointAwaited(Observation seen, Target goal) {
    if (seen.begun() || savepointMayFail || !planner.awaitsSavepoint(seen, goal)) {
      return false;
    }
    StepFailure why = new StepFailure(Reasons.BLOCKED, PENDING_SAVEPOINT, true);
    savepointMayFail = steps.hold(Step.OBSERVE, why, false) == StepRunner.Wake.RETRY;
    return true;
  }

  private @Nullable Frozen freeze(Observation seen, Target goal) {
    Long before = frozenByUs;
    // also when the answer is lost
    frozenByUs = goal.generation();
    FreezeResult result;
    try {
      result = asFrozen(seen, goal);
    } catch (OutdatedStep ofOthers) {
      frozenByUs = before;
      throw ofOthers;
    }
    if (result instanceof FreezeResult.Invalid invalid) {
      StepFailure failure = TargetFreezing.failure(invalid, seen);
      StepRunner.Wake unused = steps.hold(Step.FREEZE_TARGET, failure, false);
    }
    if (!(result instanceof Frozen frozen)) {
      frozenByUs = before;
      return null;
    }
    begun = true;
    target.frozen(frozen);
    return frozen;
  }

  private FreezeResult asFrozen(Observation seen, Target goal) {
    String why = "Only the parallelism differs.";
    Assessment planned = new Assessment(seen, goal, new Decision.Settle(why));
    return freezing.freeze(planned, Step.CHANGE_PARALLELISM, why, null, null);
  }

  private @Nullable End scale(Observation seen, Frozen frozen, RescaleRequest request) {
    context.safePoint();
    Answer answer = change.require(request);
    if (answer.problem() != null) {
      return notNow(seen, Step.CHANGE_PARALLELISM, answer);
    }
    if (!change.await(frozen, request)) {
      return null;
    }
    context.safePoint();
    change.update(request);
    context.safePoint();
    marked = frozen;
    change.markStable(frozen, request, startedFrom);
    begun = false;
    frozenByUs = null;
    return new End.Stable(frozen);
  }

  /** What an upgrade cannot do either is no reason to stop the job. */
  private @Nullable End notNow(Observation seen, Step step, Answer answer) {
    return !answer.held() || change.isUpgradeAsked(step, answer)
        ? byUpgrade(seen, String.valueOf(answer.problem()))
        : null;
  }

  /** Does not return: an operation of its own brings the newest spec. */
  private End byUpgrade(Observation seen, String why) {
    context.safePoint();
    boolean unused = undoIfPossible();
    OperationType next = context.forward();
    String message = "Not scaled in place: %s. %s follows".formatted(why, next.wire());
    steps.report(
        context.report(
            OperationState.RUNNING, Step.OBSERVE, null, message, EventReasons.NOT_IN_PLACE));
    context.done(message);
    context.safePoint();
    OperationResult none =
        HandOver.to(
            next,
            context
                .next(seen.newest().target().generation(), message, null)
                .withJobUntouched(isOnlyOperation()));
    throw new IllegalStateException("handed over: " + none);
  }

  /** The operation that brings a newer spec. Only another rescale goes on from what is done. */
  OperationType next() {
    if (context.forward() == OperationType.UPGRADE) {
      return OperationType.RESCALE;
    }
    boolean unused = undoIfPossible();
    return context.forward();
  }

  /**
   * Takes back what was done, before an abort.
   *
   * @return false when another operation is under way by now, which may have stopped the job
   */
  boolean undo() {
    Observation seen = observe(Duration.ZERO);
    RescaleRequest request = begun ? givenUp(seen) : null;
    if (request != null) {
      change.undo(request);
    }
    return !isOfOthers(seen);
  }

  /** What this run has made stable, although it was not told; null when it has not. */
  @Nullable Frozen reached() {
    Observation seen = target.last();
    Frozen it = marked;
    boolean stable =
        it != null
            && seen != null
            && !seen.begun()
            && Long.valueOf(it.target().generation()).equals(seen.stableGeneration());
    return stable ? it : null;
  }

  /**
   * As {@link #undo}, once: what follows does not depend on it, and may be what helps.
   *
   * @return whether the job is as it was before
   */
  boolean undoIfPossible() {
    Observation seen = target.last();
    RescaleRequest request = seen == null || !begun ? null : givenUp(seen);
    boolean undone = request == null || change.undoOnce(request);
    // whoever gives up what follows has to start the old spec anew
    maybeChanged |= !undone;
    return undone;
  }

  /** Null when there is no job that could have been changed. */
  private @Nullable RescaleRequest givenUp(Observation seen) {
    String job = seen.cluster().jobId();
    boolean ended = seen.job() instanceof Ended;
    return job == null || ended || !seen.cluster().present()
        ? null
        : new RescaleRequest(
            context.resource(), new JobRef(seen.cluster().ref(), job), context.target());
  }
}
