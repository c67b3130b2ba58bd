package dev.sluice.workflows.deployment;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.FreezeResult;
import dev.sluice.workflows.activity.FreezeResult.Frozen;
import dev.sluice.workflows.activity.ResourceActivities;
import dev.sluice.workflows.deployment.Outcome.Failed;
import dev.sluice.workflows.deployment.Outcome.Reached;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.operation.HandOver;
import dev.sluice.workflows.operation.InterruptedRun;
import dev.sluice.workflows.operation.InterruptedRun.Interrupt;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.OutdatedStep;
import dev.sluice.workflows.operation.PendingSignals;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.operation.StepRunner;
import dev.sluice.workflows.plan.Decision;
import dev.sluice.workflows.plan.Decision.AwaitStarted;
import dev.sluice.workflows.plan.Decision.Hold;
import dev.sluice.workflows.plan.Decision.Proceed;
import dev.sluice.workflows.plan.Decision.Settle;
import dev.sluice.workflows.plan.Decision.StaySuspended;
import dev.sluice.workflows.plan.Decision.UpToDate;
import dev.sluice.workflows.plan.GoalPlanner;
import dev.sluice.workflows.plan.GoalPlanner.Planned;
import dev.sluice.workflows.plan.GoalPlanner.Tried;
import dev.sluice.workflows.plan.GoalPlanner.Wanted;
import dev.sluice.workflows.plan.UpgradePlanner;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What every operation does: observe, plan, carry out, until the goal is reached. Each attempt
 * begins with an observation, so it picks up from wherever an earlier one was interrupted, in this
 * run or in one that was lost. What is asked of the run changes the goal at the next safe point.
 */
final class OperationLoop {

  private static final Duration OUTDATED_PAUSE = Duration.ofSeconds(1);
  private static final int OFTEN = 5;

  private final OperationContext context;
  private final StepRunner steps;
  private final LaneRun run;
  private final GoalPlanner planner;
  private final AutomaticRollback automatic;
  private final Runbook runbook;
  private final AbortAndRollback abortAndRollback;
  private final Holding holding;
  private final Recovery recovery;
  private final Rescaling rescaling;
  private final ResourceDeletion deletion;
  private final JobEnd jobEnd;
  private Goal goal;
  private @Nullable Interrupt asked;
  private boolean answersRollback;
  private long newestSeen;
  private long askedFor;
  private long givenUp;
  private int outdated;

  OperationLoop(OperationContext context, StepRunner steps) {
    this.context = context;
    this.steps = steps;
    this.run = new LaneRun(context, steps);
    this.planner = new GoalPlanner(!context.resource().ownsCluster());
    this.automatic = new AutomaticRollback(context);
    this.runbook = new Runbook(run, automatic);
    this.abortAndRollback = new AbortAndRollback(run, runbook);
    this.jobEnd = new JobEnd(run, runbook.place());
    this.holding = new Holding(run, planner, automatic, jobEnd, this::giveUp);
    this.recovery = new Recovery(run);
    this.rescaling = new Rescaling(run, runbook);
    this.deletion = new ResourceDeletion(run, runbook.place());
    this.goal = Goal.of(context.operation(), context.input());
    context.newerSpecDiffers(this::newerSpecDiffers);
    context.beginAnew(this::beginAnew);
    this.answersRollback = goal instanceof Goal.Revision || context.input().rollbackAsked();
    String aborts = context.input().aborts();
    if (aborts != null) {
      context.signals().abort(aborts);
    }
    // until it is observed how far an earlier run has come, there is nothing safe to go back to
    context.signals().holdAbort(true);
  }

  /** Returns when the goal is reached, and nothing was asked for in between. */
  OperationResult run() {
    while (true) {
      try {
        takeUp();
        OperationResult end = attempt();
        if (end != null && isOver(end)) {
          return end;
        }
      } catch (OutdatedStep step) {
        holding.failed(changesOften(step));
        context.done("Observing again: " + step.getMessage());
        Workflow.sleep(OUTDATED_PAUSE);
      } catch (InterruptedRun interrupted) {
        if (interrupted.interrupt() instanceof Interrupt.Gone) {
          throw interrupted;
        }
        asked = interrupted.interrupt();
      }
    }
  }

  /** Somebody else changes what is there, each time that it was looked at: null at first. */
  private @Nullable Failed changesOften(OutdatedStep step) {
    String why = "What is there changes again and again: " + step.getMessage();
    return ++outdated % OFTEN == 0
        ? new Failed(Step.OBSERVE, new StepFailure(Reasons.BLOCKED, why, true))
        : null;
  }

  /** What was asked for since the last attempt becomes the goal. A deletion is observed. */
  private void takeUp() {
    Interrupt now = asked;
    asked = null;
    if (now instanceof Interrupt.Delete) {
      context.signals().forgetDelete();
    } else if (now instanceof Interrupt.Abort abort) {
      takeAbort();
      giveUp(abort.reason());
    } else if (now instanceof Interrupt.Newer) {
      supersede();
    }
  }

  /** What a rollback request asks for next to the abort is answered later. */
  private void takeAbort() {
    answersRollback |= context.signals().rollbackAsked();
    context.signals().abortTaken();
  }

  private void giveUp(String why) {
    goal = new Goal.GiveUp(why, goal);
    givenUp = newestSeen;
    holding.failed(null);
    run.retry(false);
  }

  /** A newer spec comes first: a rollback request is answered by that. */
  private void supersede() {
    answerRollback(false, "because a newer spec came first");
    boolean inPlace = goal instanceof Goal.Newest newest && newest.inPlace();
    goal = new Goal.Newest(inPlace);
    askedFor = context.signals().known();
    holding.failed(null);
    run.superseded();
    context.becomes(inPlace ? OperationType.RESCALE : context.nextOperation());
  }

  /** Null while the goal is not reached. */
  private @Nullable OperationResult attempt() {
    long known = newestSeen;
    Observation seen = look(Duration.ZERO);
    context.signals().abortable(false);
    if (seen.phase() != Phase.ROLLING_BACK) {
      askedFor = 0;
    }
    if (seen.deleting()) {
      return delete(seen);
    }
    if (goal instanceof Goal.Delete) {
      // what is desired stands in Kubernetes: what was in flight is taken up again
      context.done("Not deleted: 'kubectl delete' deletes the resource, a signal does not.");
      goal = new Goal.Newest(false);
      context.becomes(seen.operation());
    }
    if (goal instanceof Goal.Finish) {
      return jobEnd.finish();
    }
    if (AbortAndRollback.isBegun(seen, askedFor, givenUp)) {
      return restore(seen);
    }
    boolean forward = goal instanceof Goal.Newest || goal instanceof Goal.Deployed;
    boolean changed = known > 0 && newestSeen > known;
    if (changed) {
      holding.failed(null);
    }
    if ((forward && changed && isNewer(seen.newest()))
        || (!forward && seen.phase() == Phase.ROLLING_BACK)) {
      supersede();
    }
    if (goal instanceof Goal.GiveUp it) {
      return giveUp(seen, it);
    }
    if (goal instanceof Goal.Restore) {
      return nothingBegun(seen);
    }
    if (goal instanceof Goal.Revision) {
      return goBackToRevision(seen);
    }
    return goal instanceof Goal.Deployed
        ? recover(seen)
        : bringNewest(seen, ((Goal.Newest) goal).inPlace());
  }

  private OperationResult delete(Observation seen) {
    goal = new Goal.Delete();
    context.becomes(OperationType.DELETE);
    // the signal has brought us here; it must not interrupt what it asked for
    context.signals().deleteTaken();
    context.newerSpecDiffers(() -> false);
    return deletion.removeEverything(seen);
  }

  /**
   * Looks, and takes the newest generation as known: what is asked for since is newer.
   *
   * @param patience how long to wait while the state of the job cannot be determined
   */
  private Observation look(Duration patience) {
    long wantedBefore = context.signals().wanted();
    Observation seen = run.look(patience);
    newestSeen = seen.newest().target().generation();
    context.signals().observed(wantedBefore, newestSeen);
    return seen;
  }

  private static boolean isNewer(Observation.Newest newest) {
    return newest.problem() == null && !newest.sameAsFrozen();
  }

  private @Nullable OperationResult bringNewest(Observation seen, boolean inPlace) {
    context.signals().abortable(true);
    if (!inPlace) {
      return reach(Wanted.NEWEST, seen);
    }
    context.signals().holdAbort(!Runbook.canGoBack(seen, false));
    long generation = seen.newest().target().generation();
    Decision decision = planner.plan(Wanted.NEWEST, seen, run.tried()).decision();
    if (decision instanceof UpToDate) {
      return nothing(seen, decision, generation);
    }
    if (holding.isHeld(Wanted.NEWEST, seen)) {
      return null;
    }
    if (rescaling.isReverted(seen)) {
      Failed failed = rescaling.revert(seen);
      holding.failed(failed);
      String why = "The newest spec is the one that runs; the job was not stopped.";
      return failed == null ? nothing(seen, new Decision.Reverted(why), generation) : null;
    }
    Outcome outcome = rescaling.attempt(seen);
    if (outcome == null) {
      goal = new Goal.Newest(false);
      run.frozen(null);
      context.becomes(context.nextOperation());
      return null;
    }
    return ended(Wanted.NEWEST, seen, outcome);
  }

  private @Nullable OperationResult recover(Observation seen) {
    context.signals().abortable(true);
    if (!seen.begun()) {
      context.signals().holdAbort(false);
      String nothing = recovery.begin(seen);
      return nothing == null
          ? null
          : nothing(seen, new UpToDate(nothing), seen.newest().target().generation());
    }
    if (seen.frozen() != null) {
      context.generations(null, seen.frozen().generation());
    }
    return reach(Wanted.DEPLOYED, seen);
  }

  /** A rollback that is begun comes to its end, whoever has begun it. */
  private @Nullable OperationResult restore(Observation seen) {
    context.becomes(OperationType.ROLLBACK);
    if (goal instanceof Goal.GiveUp it) {
      run.gaveUp(it.why());
    }
    goal = new Goal.Restore();
    if (seen.frozen() != null) {
      context.generations(newestSeen, seen.frozen().generation());
    }
    return reach(Wanted.FROZEN, seen);
  }

  private @Nullable OperationResult goBackToRevision(Observation seen) {
    if (seen.begun()) {
      goal = new Goal.GiveUp("a rollback was requested", new Goal.Newest(false));
      return null;
    }
    context.becomes(OperationType.ROLLBACK);
    FreezeResult result = abortAndRollback.revision(seen);
    // with the freeze, or its refusal; what came since is another one
    answersRollback = false;
    if (result instanceof FreezeResult.Invalid invalid) {
      return abortAndRollback.aborted("Not rolled back: " + invalid.problem());
    }
    goal = new Goal.Restore();
    return null;
  }

  private OperationResult nothingBegun(Observation seen) {
    String nothing = "No operation is begun that could be rolled back.";
    context.done(nothing);
    if (seen.operationOpen() && !seen.begun()) {
      steps.reportEnd(Step.OBSERVE, nothing);
    }
    return new OperationResult(OperationResult.UP_TO_DATE, 0, nothing);
  }

  /** Gives the operation up in the way that fits how far it has come. */
  private @Nullable OperationResult giveUp(Observation seen, Goal.GiveUp it) {
    RestorePoint recorded = seen.recorded();
    if (seen.stableGeneration() == null) {
      return takeDown(seen, it);
    }
    if (!seen.begun() && seen.newest().sameAsStable() && it.from() instanceof Goal.Newest) {
      goal = it.from();
      String late = "Too late to abort: generation " + seen.stableGeneration() + " is stable";
      return nothing(seen, new UpToDate(late), seen.stableGeneration());
    }
    boolean mayBeStopped = !UpgradePlanner.keepsSession(seen);
    if (mayBeStopped && recorded != null) {
      if (!seen.begun()) {
        return abortAndRollback.aborted("Aborted; the job stays suspended: " + it.why());
      }
      abortAndRollback.begin(seen, recorded, it.why());
      return null;
    }
    if (mayBeStopped && seen.pendingStop() != null) {
      // the job may have been stopped: first it has to be known what it has left
      goal = it.from();
      context.signals().abort(it.why());
      context.signals().holdAbort(true);
      return goal instanceof Goal.Deployed ? recover(seen) : bringNewest(seen, false);
    }
    rescaling.undo(seen);
    return abortAndRollback.abortUntouched(seen, it);
  }

  private @Nullable OperationResult takeDown(Observation seen, Goal.GiveUp it) {
    OperationResult down = abortAndRollback.takeDown(seen, it.why());
    if (down != null) {
      answerRollback(false, "because no earlier spec was ever stable");
    }
    return down;
  }

  /** Plans for the spec that is wanted, and carries the plan out. */
  private @Nullable OperationResult reach(Wanted wanted, Observation first) {
    context.signals().holdAbort(!Runbook.canGoBack(first, false));
    if (holding.isHeld(wanted, first)) {
      return null;
    }
    Observation seen = first;
    Tried tried = run.tried();
    Planned planned = planner.plan(wanted, seen, tried);
    if (planned.decision() instanceof Settle) {
      seen = look(StepLimits.PATIENCE);
      if (seen.deleting() || seen.phase() != first.phase()) {
        return null;
      }
      context.signals().holdAbort(!Runbook.canGoBack(seen, false));
      planned = planner.plan(wanted, seen, tried.withPatient(true));
    }
    if (wanted == Wanted.NEWEST) {
      context.generations(seen.stableGeneration(), planned.target().generation());
    }
    Decision decision = planned.decision();
    boolean proves = wanted != Wanted.DEPLOYED;
    if (decision instanceof Hold hold) {
      return hold(wanted, seen, planned, hold);
    }
    if (decision instanceof AwaitStarted started) {
      return ended(wanted, seen, runbook.awaitStarted(seen, planned.target(), started, proves));
    }
    if (decision instanceof StaySuspended stays) {
      return ended(wanted, seen, runbook.staySuspended(seen, planned.target(), stays));
    }
    return decision instanceof Proceed proceed
        ? ended(wanted, seen, runbook.carryOut(seen, planned.target(), proceed.plan(), proves))
        : nothing(seen, decision, planned.target().generation());
  }

  private @Nullable OperationResult ended(Wanted wanted, Observation seen, Outcome outcome) {
    if (outcome instanceof Failed it) {
      holding.failed(it);
    }
    return outcome instanceof Reached reached
        ? new OperationResult(
            word(wanted, seen, reached.target()),
            reached.target().target().generation(),
            reached.target().summary())
        : null;
  }

  private String word(Wanted wanted, Observation seen, Frozen target) {
    if (wanted == Wanted.FROZEN) {
      return OperationResult.ROLLED_BACK;
    }
    if (target.target().suspended()) {
      return OperationResult.SUSPENDED;
    }
    if (wanted == Wanted.DEPLOYED) {
      return OperationResult.RECOVERED;
    }
    return switch (OperationType.of(context.operation()).orElseThrow()) {
      case RESUME -> OperationResult.RESUMED;
      case RESCALE -> OperationResult.RESCALED;
      default ->
          seen.stableGeneration() == null ? OperationResult.DEPLOYED : OperationResult.UPGRADED;
    };
  }

  private OperationResult nothing(Observation seen, Decision why, long generation) {
    if (why instanceof Decision.Reverted) {
      rescaling.undo(seen);
      abortAndRollback.keepOldJob(seen, OperationState.SUCCEEDED, why.why());
      return new OperationResult(OperationResult.UP_TO_DATE, generation, why.why());
    }
    context.done(why.why());
    boolean upToDate = why instanceof UpToDate;
    if (!upToDate || steps.hasReported() || seen.operationOpen()) {
      // what only a worker can tell of a spec is told nowhere else; and an earlier report, of this
      // run or a lost one, would be read as an operation in progress
      steps.report(
          upToDate
              ? context.report(OperationState.SUCCEEDED, Step.REPORT, null, why.why(), null)
              : context.report(
                  OperationState.ABORTED,
                  Step.REPORT,
                  Reasons.INVALID_SPEC,
                  why.why(),
                  EventReasons.VALIDATION_ERROR));
    }
    return new OperationResult(
        upToDate ? OperationResult.UP_TO_DATE : OperationResult.SUPERSEDED, generation, why.why());
  }

  private @Nullable OperationResult hold(
      Wanted wanted, Observation seen, Planned planned, Hold hold) {
    if (hold.reason().equals(Reasons.INVALID_SPEC) && !seen.begun()) {
      return nothing(seen, hold, seen.newest().target().generation());
    }
    boolean jobFailed = hold.reason().equals(Reasons.JOB_FAILED);
    if (jobFailed && wanted == Wanted.NEWEST) {
      learnTarget(seen, planned, hold.why());
    }
    StepFailure why = new StepFailure(hold.reason(), hold.why(), hold.blocked());
    holding.hold(
        wanted, seen, new Failed(Step.OBSERVE, why, hold.offersRestoreFrom(), jobFailed), true);
    return null;
  }

  /** A run that takes over learns whether the target is rolled back by itself. */
  private void learnTarget(Observation seen, Planned planned, String why) {
    String job = seen.cluster().jobId();
    Observation.Target frozen = seen.begun() ? seen.frozen() : null;
    if (job == null
        || frozen == null
        || frozen.generation() != planned.target().generation()
        || run.frozen() != null) {
      return;
    }
    FreezeResult result =
        runbook.freeze(seen, frozen, Step.AWAIT_RUNNING, why, null, seen.pendingStop());
    if (result instanceof Frozen target) {
      automatic.starts(target, new JobRef(seen.cluster().ref(), job));
    }
  }

  /**
   * Whether the run ends: nothing was asked for meanwhile, and no rollback request is left to be
   * carried out.
   *
   * @throws InterruptedRun when something was
   */
  private boolean isOver(OperationResult end) {
    if (goal instanceof Goal.Delete) {
      return true;
    }
    boolean reached =
        !end.result().equals(OperationResult.SUPERSEDED)
            && (goal instanceof Goal.Newest
                || goal instanceof Goal.Deployed
                || goal instanceof Goal.Finish);
    safePointAtTheEnd();
    while (answersRollback) {
      if (reached) {
        goal = new Goal.Revision();
        holding.failed(null);
        return false;
      }
      // the abort was all that was asked for, unless another revision is named
      answerRollback(true, "because the operation was aborted: the last stable spec goes on");
      reached = answersRollback;
      safePointAtTheEnd();
    }
    return true;
  }

  /** A delete signal sent by hand must not take up again what is at its end. */
  private void safePointAtTheEnd() {
    takeAbort();
    PendingSignals signals = context.signals();
    if (signals.interrupt() instanceof Interrupt.Delete && !run.look().deleting()) {
      signals.forgetDelete();
    }
    context.safePoint();
  }

  private boolean rollbackAsked() {
    return answersRollback || context.signals().rollbackAsked();
  }

  /**
   * Answers a rollback request, if there is one.
   *
   * @param mayFollow it stays to be carried out where it names another generation
   * @param why what it asks for next to an abort is ignored
   */
  private void answerRollback(boolean mayFollow, String why) {
    if (!rollbackAsked()) {
      return;
    }
    takeAbort();
    answersRollback =
        steps.run(
            Step.REPORT,
            "Answer the rollback request",
            ResourceActivities.class,
            a ->
                a.answerRollback(
                    context.report(
                        OperationState.ABORTED,
                        Step.REPORT,
                        null,
                        why,
                        EventReasons.REQUEST_IGNORED),
                    mayFollow));
  }

  /**
   * Whether the newest spec is valid, came since the last look, and differs from what is frozen.
   */
  private boolean newerSpecDiffers() {
    long known = newestSeen;
    Observation.Newest newest = look(Duration.ZERO).newest();
    newestSeen = known; // the next attempt sees that it has changed
    return newest.target().generation() > known && isNewer(newest);
  }

  /** The history is long, as that of a run that is held for weeks: a new one finds itself here. */
  private void beginAnew() {
    boolean newest = goal instanceof Goal.Newest;
    boolean revision = goal instanceof Goal.Revision;
    OperationResult unused =
        HandOver.to(
            revision ? OperationType.ROLLBACK.wire() : context.operation(),
            context
                .input()
                .next(
                    newest ? context.target() : context.input().generation(), "the history is long")
                .withRetry(revision || (run.retry() && !(goal instanceof Goal.Restore)))
                .withLostJob(run.lostJob())
                .withRollbackAsked(rollbackAsked())
                .withAborts(goal instanceof Goal.GiveUp it ? it.why() : null));
  }
}
