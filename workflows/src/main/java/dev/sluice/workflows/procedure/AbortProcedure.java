package dev.sluice.workflows.procedure;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.FreezeResult;
import dev.sluice.workflows.activity.ResourceActivities;
import dev.sluice.workflows.activity.ResourceActivities.FreezeStableRequest;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.JobObservation.Retention;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.HandOver;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.OutdatedStep;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepRunner;
import dev.sluice.workflows.operation.StepRunner.Wake;
import dev.sluice.workflows.plan.Decision;
import dev.sluice.workflows.plan.Decision.Hold;
import dev.sluice.workflows.plan.Decision.Proceed;
import dev.sluice.workflows.plan.Plan;
import dev.sluice.workflows.plan.UpgradePlanner;
import org.jspecify.annotations.Nullable;

/** How an upgrade is given up: by keeping the old job, or by bringing it back. */
final class AbortProcedure {

  private final OperationContext context;
  private final StepRunner steps;
  private final TargetProcedure target;
  private final RollbackAnswer answer;
  private @Nullable RestorePoint startedFrom;
  private final UpgradePlanner planner = new UpgradePlanner();

  AbortProcedure(OperationContext context, StepRunner steps, TargetProcedure target) {
    this.context = context;
    this.steps = steps;
    this.target = target;
    this.answer = new RollbackAnswer(context, steps);
  }

  /** What the job was started from that goes on if it was never touched; null when not known. */
  void startedFrom(@Nullable RestorePoint known) {
    startedFrom = known;
  }

  /**
   * Gives the operation up in the way that fits how far it has come. Null where it has to go on
   * first, because the job may have been stopped: the abort stays asked for.
   */
  @Nullable OperationResult abort(String reason) {
    Observation seen = target.last() == null ? target.observe() : target.last();
    while (true) {
      try {
        return giveUp(reason, seen);
      } catch (OutdatedStep outdated) {
        seen = target.observeAgain(outdated);
      }
    }
  }

  private @Nullable OperationResult giveUp(String reason, Observation seen) {
    Observation now = seen.stableGeneration() == null ? target.observe() : seen;
    if (now.stableGeneration() == null) {
      return takeDown(reason, now);
    }
    if (now.isSession()) {
      now = target.observe();
      if (UpgradePlanner.keepsSession(now)) {
        return followed(untouched(reason), now);
      }
    }
    RestorePoint recorded =
        context.restorePoint() == null ? now.recorded() : context.restorePoint();
    if (recorded == null && now.pendingStop() != null) {
      context.signals().abort(reason);
      context.signals().holdAbort(true);
      return null;
    }
    if (recorded == null) {
      return followed(untouched(reason), now);
    }
    // a freeze whose answer was lost has begun it, too
    boolean begun = target.standing().phase() != Phase.IDLE || target.observe().begun();
    return begun ? rollBack(reason, recorded, now) : followed(notResumed(reason), now);
  }

  private OperationResult followed(OperationResult aborted, Observation seen) {
    if (context.rollbackAsked()) {
      answer.followed(seen.newest().target().generation());
    }
    return aborted;
  }

  /** The old job was not touched: only the status goes back. */
  private OperationResult untouched(String reason) {
    String message =
        context.operation().equals(OperationType.RECOVER.wire())
            ? "Aborted; the job is not brought back: " + reason
            : "Aborted; the running job was not stopped: " + reason;
    keepOldJob(OperationState.ABORTED, message);
    return new OperationResult(OperationResult.ABORTED, 0, message);
  }

  /** What a suspended job left is recorded, and nothing was begun. */
  private OperationResult notResumed(String reason) {
    String message = "Aborted; the job stays suspended: " + reason;
    steps.report(context.aborted(Step.REPORT, message));
    context.done(message);
    return new OperationResult(OperationResult.ABORTED, 0, message);
  }

  /**
   * Writes that the last stable spec is the deployed one, because its job was never touched.
   *
   * @param state of the operation
   */
  void keepOldJob(OperationState state, String message) {
    boolean aborted = state == OperationState.ABORTED;
    FreezeResult unused =
        steps.run(
            Step.REPORT,
            "Keep the old spec",
            ResourceActivities.class,
            a ->
                a.freezeStable(
                    new FreezeStableRequest(
                        context.report(
                            state,
                            Step.REPORT,
                            aborted ? Reasons.ABORTED : null,
                            message,
                            aborted ? EventReasons.OPERATION_ABORTED : null),
                        null,
                        target.standing(),
                        startedFrom)));
    context.done(message);
  }

  /** The old job has stopped and its state is recorded: a run of its own brings it back. */
  private OperationResult rollBack(String reason, RestorePoint recorded, Observation seen) {
    if (context.cancelled()) {
      // Temporal cannot continue a cancelled run as new: the same steps, here
      OperationResult rolledBack =
          new RollbackProcedure(context, steps, OperationState.ABORTED, reason)
              .lastStable(seen.newest().target().generation(), recorded.leftByStable());
      return followed(rolledBack, seen);
    }
    return HandOver.to(
        OperationType.ROLLBACK,
        context
            .input()
            .next(seen.newest().target().generation(), reason, recorded)
            .withRollbackAsked(context.rollbackAsked()));
  }

  /** A first deployment has nothing to go back to. */
  private OperationResult takeDown(String reason, Observation seen) {
    Plan.Teardown teardown =
        seen.isSession() ? withoutJobs(seen).teardown() : Plan.Teardown.Replace.of(seen.cluster());
    RestorePoint recorded = seen.recorded();
    if (recorded != null) {
      // what the next deployment starts from: the job that was begun is given up
      target.record(
          RestorePoint.of(recorded.state(), seen.cluster().jobId(), target.nextJobId(seen))
              .initial(recorded.state(), recorded.initial()),
          null,
          target.standing(),
          null,
          null);
    }
    boolean metadata = seen.cluster().highAvailability() == HighAvailability.CHECKPOINT;
    target.tearDown(
        seen,
        teardown,
        recorded != null && recorded.isSameJob() && metadata
            ? recorded.state()
            : new StateRef.Empty("given up"));
    String message =
        "Aborted the first deployment; %s: %s%s"
            .formatted(JobPlace.of(context, steps).givenUp(), reason, leftBehind(seen));
    steps.report(context.aborted(Step.REPORT, message));
    if (context.rollbackAsked()) {
      answer.dropped("because no earlier spec was ever stable");
    }
    return new OperationResult(OperationResult.ABORTED, 0, message);
  }

  /** Of a session cluster that goes: held while jobs would be lost with it. */
  private Plan withoutJobs(Observation first) {
    Observation seen = first;
    Decision decision = planner.takeDown(seen, false);
    while (decision instanceof Hold hold) {
      StepFailure why = new StepFailure(hold.reason(), hold.why(), true);
      boolean retry = steps.hold(Step.AWAIT_NO_JOBS, why, true) == Wake.RETRY;
      seen = target.observe();
      decision = planner.takeDown(seen, retry);
    }
    return ((Proceed) decision).plan();
  }

  /** What the job has made is given up with it; what Flink keeps of that can be named. */
  private static String leftBehind(Observation seen) {
    StateRef left = null;
    if (seen.job() instanceof Alive job && job.progressed()) {
      left = job.keepsCheckpoints() == Retention.RETAINED ? job.newest() : null;
    } else if (seen.job() instanceof Ended job && job.progressed()) {
      left = job.newest();
    }
    String path = left == null ? null : left.pathOrNull();
    return path == null
        ? ""
        : ". Its job has left %s, or one beside it that is newer: to start from that, name it in initialSavepointPath"
            .formatted(path);
  }
}
