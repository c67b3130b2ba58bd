package dev.sluice.workflows.procedure;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.PendingStop;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.FreezeResult;
import dev.sluice.workflows.activity.FreezeResult.Frozen;
import dev.sluice.workflows.activity.JobActivities.TakenState;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities;
import dev.sluice.workflows.activity.ResourceActivities.RecordStopRequest;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.Standing;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.HandOver;
import dev.sluice.workflows.operation.InterruptedRun;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.OutdatedStep;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepRunner;
import dev.sluice.workflows.plan.Decision;
import dev.sluice.workflows.plan.Decision.AwaitStarted;
import dev.sluice.workflows.plan.Decision.Hold;
import dev.sluice.workflows.plan.Decision.Proceed;
import dev.sluice.workflows.plan.Decision.StaySuspended;
import dev.sluice.workflows.plan.Plan;
import dev.sluice.workflows.plan.UpgradePlanner;
import dev.sluice.workflows.procedure.Assessor.Goal;
import dev.sluice.workflows.procedure.ClusterReplacement.Outcome;
import dev.sluice.workflows.procedure.ClusterReplacement.Outcome.NotUp;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Brings the job of one target up: observe, plan, freeze, suspend, record, tear down, create,
 * verify, mark stable. Every attempt begins with an observation, so it picks up from wherever an
 * earlier one was interrupted.
 */
final class TargetProcedure {

  private static final Duration OUTDATED_PAUSE = Duration.ofSeconds(1);

  private final OperationContext context;
  private final StepRunner steps;
  private final Goal goal;
  private final Ending ending;
  private final Assessor assessor;
  private final JobSuspension suspension;
  private final ClusterReplacement replacement;
  private final TargetFreezing freezing;
  private final StateRecording recording;
  private final AutomaticRollback automatic;
  private final RerunPrevention rerun;
  private final Holding holding;
  private final UpgradePreparation preparation;
  private @Nullable Observation last;
  private @Nullable Standing standing;

  /**
   * @param goal which spec is the target
   * @param ending how the operation says that it has reached the target
   */
  TargetProcedure(OperationContext context, StepRunner steps, Goal goal, Ending ending) {
    this.context = context;
    this.steps = steps;
    this.goal = goal;
    this.ending = ending;
    this.assessor = new Assessor(context, steps, goal);
    this.suspension = new JobSuspension(context, steps);
    this.freezing = new TargetFreezing(context, steps);
    this.recording = new StateRecording(context, steps);
    this.automatic = new AutomaticRollback(context, goal);
    this.replacement = new ClusterReplacement(context, steps, goal, automatic);
    this.rerun = new RerunPrevention(context, steps, assessor);
    this.holding = new Holding(context, steps, this::observe);
    this.preparation = new UpgradePreparation(context, steps, holding, this::observe);
    context.newerSpecDiffers(this::newerSpecDiffers);
    context.beginAnew(this::beginAnew);
    // until it is observed how far an earlier run has come, there is nothing safe to go back to
    context.signals().holdAbort(true);
  }

  private boolean newerSpecDiffers() {
    if (goal != Goal.NEWEST) {
      return assessor.newerSpecDiffers(context.input().generation());
    }
    // before the target is frozen, the freeze itself finds out
    Frozen frozen = freezing.frozen();
    return frozen != null && assessor.newerSpecDiffers(frozen.target().generation());
  }

  void beginAnew() {
    OperationInput next =
        context
            .next(
                goal == Goal.NEWEST ? context.target() : context.input().generation(),
                "the history is long",
                context.restorePoint())
            .withRollbackAsked(context.rollbackAsked());
    boolean toBeFrozen = goal == Goal.FROZEN && freezing.frozen() == null;
    OperationResult unused =
        HandOver.to(
            goal.again(context.forward()),
            toBeFrozen && context.input().retry() ? next.asRetry() : next);
  }

  /** The last observation; null before the first. */
  @Nullable Observation last() {
    return last;
  }

  /** The cluster goes, if it is the one that was seen; that state is kept of its job. */
  void tearDown(Observation seen, Plan.Teardown how, StateRef kept) {
    replacement.tearDown(seen, how, kept, false);
  }

  /** Observes once, without a decision. */
  Observation observe() {
    Observation seen = assessor.observe(Duration.ZERO);
    saw(seen);
    return seen;
  }

  /** What was observed elsewhere, before anything was begun. */
  void saw(Observation seen) {
    last = seen;
    standing = seen.standing();
  }

  /** How the status stands after all that this run has seen and written. */
  Standing standing() {
    return Objects.requireNonNull(standing, "nothing was observed yet");
  }

  /** As {@link Assessor#nextJobId}. */
  String nextJobId(Observation seen) {
    return assessor.nextJobId(seen);
  }

  /** The target is frozen already, by the operation itself. */
  void frozen(Frozen target) {
    freezing.frozen(target);
  }

  /** Returns when the target is reached, or throws {@code InterruptedRun} at the safe points. */
  End reach() {
    while (true) {
      try {
        End end = attempt();
        if (end != null) {
          return end;
        }
      } catch (OutdatedStep outdated) {
        pause(outdated);
      }
    }
  }

  private void pause(OutdatedStep outdated) {
    context.done("Observing again: " + outdated.getMessage());
    Workflow.sleep(OUTDATED_PAUSE);
  }

  /** What a step was made for is not there any more. */
  Observation observeAgain(OutdatedStep outdated) {
    pause(outdated);
    return observe();
  }

  /** Null when it has to begin again. */
  private @Nullable End attempt() {
    Assessment now = assessor.assess(holding.retryAsked());
    Observation seen = now.seen();
    saw(seen);
    if (goal == Goal.NEWEST) {
      context.generations(seen.stableGeneration(), now.target().generation());
    }
    context.signals().holdAbort(!canGoBack(seen, false));
    Decision decision = assessor.unlessEnded(now);
    if (decision instanceof Hold hold) {
      return held(now, hold);
    }
    if (decision instanceof AwaitStarted started) {
      return awaitStarted(now, started);
    }
    if (decision instanceof StaySuspended stays) {
      return staySuspended(now, stays);
    }
    if (decision instanceof Proceed proceed) {
      return proceed(now, proceed.plan());
    }
    return new End.Nothing(decision, now.target().generation());
  }

  /**
   * Whether an abort has something safe to go back to.
   *
   * @param stops the job is about to be stopped
   */
  private static boolean canGoBack(Observation seen, boolean stops) {
    return (seen.pendingStop() == null && !stops)
        || seen.recorded() != null
        || seen.stableGeneration() == null
        || UpgradePlanner.keepsSession(seen);
  }

  private @Nullable End held(Assessment now, Hold hold) {
    Observation seen = now.seen();
    boolean invalidOnly = hold.reason().equals(Reasons.INVALID_SPEC) && !seen.begun();
    if (invalidOnly) {
      return new End.Nothing(hold, seen.newest().target().generation());
    }
    StepFailure why = new StepFailure(hold.reason(), hold.why(), hold.blocked());
    if (hold.reason().equals(Reasons.JOB_FAILED)) {
      learnTarget(now, hold.why());
      automatic.giveUpIfDue(why, seen);
      untilChanged(Step.OBSERVE, why, hold.offersRestoreFrom(), seen);
    } else {
      holding.untilChanged(Step.OBSERVE, why, hold.offersRestoreFrom(), seen);
    }
    return null;
  }

  /** A run that takes over learns whether the target is rolled back by itself. */
  private void learnTarget(Assessment now, String why) {
    Observation seen = now.seen();
    String job = seen.cluster().jobId();
    boolean isFrozen =
        seen.begun()
            && seen.frozen() != null
            && seen.frozen().generation() == now.target().generation();
    if (goal != Goal.NEWEST || freezing.frozen() != null || !isFrozen || job == null) {
      return;
    }
    Frozen target = freeze(now, Step.AWAIT_RUNNING, why, null, seen.pendingStop());
    if (target != null) {
      automatic.starts(target, new JobRef(seen.cluster().ref(), job));
    }
  }

  private @Nullable End awaitStarted(Assessment now, AwaitStarted started) {
    context.safePoint();
    Frozen target = freezing.frozen();
    if (target == null || target.target().generation() != now.target().generation()) {
      target = freeze(now, Step.AWAIT_RUNNING, started.why(), null, now.seen().pendingStop());
      if (target == null) {
        return null;
      }
    }
    JobRef job = new JobRef(now.seen().cluster().ref(), started.jobId());
    return verify(target, job, started.restoredFrom());
  }

  private @Nullable End proceed(Assessment now, Plan plan) {
    context.safePoint();
    boolean suspends = now.target().suspended();
    boolean fetches = preparation.fetches(plan, suspends, now.seen());
    PendingStop stop = suspension.stop(plan, now.seen());
    PendingStop stopFrozen = fetches ? null : stop;
    Standing frozen = freezing.standingOnceFrozen(now, stopFrozen);
    Frozen target =
        freeze(
            now,
            preparation.step(plan, suspends, now.seen()),
            plan.why(),
            fetches ? null : JobSuspension.limit(plan, now.seen()),
            stopFrozen);
    if (target == null) {
      return null;
    }
    standing = frozen;
    if (!preparation.isDone(target, plan, now.seen())) {
      return null;
    }
    if (stop != null && !stop.equals(standing().pendingStop())) {
      beginStop(target, plan, now.seen(), stop);
    }
    leaveBeforeStop(now.seen());
    TakenState taken;
    try {
      context.signals().holdAbort(!canGoBack(now.seen(), plan.suspend().mayEndJob()));
      taken = suspension.carryOut(plan, now.seen(), stop);
    } catch (ActivityFailure failure) {
      notSuspended(plan, failure);
      return null;
    }
    if (preparation.hasFinishedBefore(taken, now.seen())) {
      return null;
    }
    StateRef from = JobSuspension.restored(plan, taken);
    if (!from.isKnown()) {
      holding.untilChanged(
          JobSuspension.step(plan),
          new StepFailure(FailureType.STATE_NOT_FOUND, from.display(), false),
          true,
          observe());
      return null;
    }
    RestorePoint recorded =
        JobSuspension.restorePoint(plan, taken, now.seen(), from, nextJobId(now.seen()));
    JobRef job = new JobRef(now.seen().cluster().ref(), recorded.startedJob());
    String used = plan.restore() instanceof Plan.Restore.Chosen it ? it.annotation() : null;
    String told = context.reaching(target.target().generation()) + ". " + plan.why();
    record(recorded, used, standing(), told, taken == null ? null : taken.savepoint());
    context.safePoint();
    replacement.tearDown(now.seen(), plan.teardown(), from, plan.suspend().mayEndJob());
    context.safePoint();
    if (target.target().suspended()) {
      return suspended(target, recorded.state());
    }
    replacement.create(target, job, recorded.state());
    return verify(target, job, recorded.state());
  }

  /** Writes that the job is about to be stopped, before Flink is asked for it. */
  private void beginStop(Frozen target, Plan plan, Observation seen, PendingStop stop) {
    Step next = JobSuspension.step(plan);
    String message = context.reaching(target.target().generation()) + ". " + plan.why();
    Duration limit = Objects.requireNonNull(JobSuspension.limit(plan, seen));
    if (steps.tellsHoldAt(Step.CHECK_JAR)) {
      steps.goesOnUntold(next, message);
    }
    recordStop(
        "Record the stop of job " + stop.jobId(),
        stop,
        steps.tellsHoldAt(next)
            ? null
            : context
                .report(OperationState.RUNNING, next, null, message, null)
                .withDeadlineMs(context.in(limit)));
  }

  /** The last safe point before Flink is asked to stop the job. */
  private void leaveBeforeStop(Observation seen) {
    try {
      context.safePoint();
    } catch (InterruptedRun left) {
      if (seen.pendingStop() == null && standing().pendingStop() != null) {
        recordStop("Record that the job is not stopped", null, null);
      }
      throw left;
    }
  }

  private void recordStop(
      String summary, @Nullable PendingStop stop, @Nullable OperationReport report) {
    Standing before = standing();
    steps.run(
        Step.RECORD_STOP,
        summary,
        ResourceActivities.class,
        a -> {
          a.recordStop(new RecordStopRequest(context.resource(), stop, report, before));
          return true;
        });
    standing = before.stopping(stop);
  }

  /** Null when it has to begin again: the newest spec has changed, or was not valid. */
  private @Nullable Frozen freeze(
      Assessment now,
      Step next,
      String plan,
      @Nullable Duration limit,
      @Nullable PendingStop stop) {
    FreezeResult result = freezing.freeze(now, next, plan, limit, stop);
    if (result instanceof FreezeResult.Invalid invalid) {
      StepFailure why = TargetFreezing.failure(invalid, now.seen());
      holding.afterFailure(Step.FREEZE_TARGET, why, false, now.seen());
    } else if (!(result instanceof Frozen)) {
      Workflow.sleep(OUTDATED_PAUSE);
    }
    return result instanceof Frozen frozen ? frozen : null;
  }

  private @Nullable End staySuspended(Assessment now, StaySuspended stays) {
    context.safePoint();
    Frozen target = freeze(now, Step.MARK_STABLE, stays.why(), null, now.seen().pendingStop());
    return target == null ? null : suspended(target, stays.left());
  }

  private End suspended(Frozen target, @Nullable StateRef left) {
    replacement.markSuspended(target, left, ending);
    return new End.Stable(target);
  }

  /** Observes what happened to the job before anything is reported about it. */
  private void notSuspended(Plan plan, ActivityFailure failure) {
    StepFailure why = steps.failure(failure);
    if (why.type().equals(FailureType.SAVEPOINT_FAILED)) {
      recordStop("Record that the job was not stopped", null, null);
      assessor.savepointFailed();
    }
    Observation after = observe();
    context.signals().holdAbort(!canGoBack(after, false));
    boolean stateLost = why.type().equals(FailureType.STATE_NOT_FOUND);
    if (stateLost) {
      assessor.stateNotFoundBy(plan.suspend());
    }
    holding.afterFailure(JobSuspension.step(plan), why, stateLost, after);
    if (stateLost && holding.retryAsked()) {
      suspension.beginAnew();
    }
  }

  void record(
      RestorePoint recorded,
      @Nullable String usedRestoreFrom,
      Standing plannedFor,
      @Nullable String plan,
      @Nullable Savepoint taken) {
    recording.record(recorded, usedRestoreFrom, plannedFor, plan, taken);
    holding.retryAnswered();
    assessor.stateFound();
    standing = plannedFor.starting(recorded.startedJob());
  }

  /** Null when it did not come up and has to begin again. */
  @Nullable End verify(Frozen target, JobRef job, StateRef from) {
    Outcome outcome = replacement.verify(target, job, from, last, ending);
    if (outcome instanceof NotUp notUp) {
      notUp(notUp);
    } else if (outcome instanceof Outcome.Retried) {
      holding.retryAskedMeanwhile();
    }
    return outcome instanceof Outcome.Stable ? new End.Stable(target) : null;
  }

  /** The job of the target has failed, and stays as it is meanwhile. */
  private void untilChanged(Step step, StepFailure why, boolean offersRestoreFrom, Observation it) {
    StepFailure told = rerun.prevent(it, why);
    holding.untilChanged(step, told, offersRestoreFrom, told.equals(why) ? it : observe());
  }

  private void notUp(NotUp notUp) {
    Observation after = notUp.isLookedAt() ? observe() : null;
    if (after != null && notUp.isRefutedBy(after)) {
      return;
    }
    StepFailure why = automatic.told(notUp.why(), after);
    automatic.giveUpIfDue(why, last);
    if (why.mayPass() || after == null) {
      holding.once(notUp.step(), why, false);
    } else {
      untilChanged(notUp.step(), why, false, after);
    }
  }
}
