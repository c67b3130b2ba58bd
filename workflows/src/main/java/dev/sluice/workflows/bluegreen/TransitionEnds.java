package dev.sluice.workflows.bluegreen;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.EndRequest;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.End;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Invalid;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Nothing;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Outcome;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Begun;
import dev.sluice.workflows.bluegreen.TransitionMemory.GivingUp;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepRunner;

/** How a run of a transition comes to its end. */
final class TransitionEnds {

  private final OperationContext context;
  private final StepRunner steps;
  private final TransitionMemory memory;
  private final TransitionLog log;
  private boolean replaced;

  TransitionEnds(
      OperationContext context, StepRunner steps, TransitionMemory memory, TransitionLog log) {
    this.context = context;
    this.steps = steps;
    this.memory = memory;
    this.log = log;
  }

  /** Whether what ended last only made place for a newer spec. */
  boolean isReplaced() {
    return replaced;
  }

  OperationResult nothing(Nothing nothing, BlueGreenSeen seen) {
    context.done(nothing.why());
    memory.ended();
    replaced = false;
    if (seen.operationOpen()) {
      steps.report(
          nothing.givenUp()
              ? context.aborted(Step.REPORT, nothing.why())
              : log.running(OperationState.SUCCEEDED, Step.REPORT, null, nothing.why()));
    }
    return new OperationResult(OperationResult.UP_TO_DATE, seen.generation(), nothing.why());
  }

  OperationResult invalid(Invalid invalid, BlueGreenSeen seen) {
    context.done(invalid.why());
    memory.ended();
    replaced = false;
    if (seen.operationOpen()) {
      steps.report(
          log.running(OperationState.ABORTED, Step.REPORT, Reasons.INVALID_SPEC, invalid.why()));
    }
    return new OperationResult(OperationResult.SUPERSEDED, seen.generation(), invalid.why());
  }

  OperationResult end(End end, BlueGreenSeen seen) {
    boolean reached = end.outcome() == Outcome.REACHED;
    context.generations(
        seen.standing().reached() == 0 ? null : Long.valueOf(seen.standing().reached()),
        end.generation());
    OperationReport report = reached ? reached(end) : givenUp(end, seen);
    // one that comes as soon as the status says that it has ended is for another operation
    context.signals().forgetRetry();
    steps.goesOnUntold(Step.END_TRANSITION, report.message());
    log.run(
        Step.END_TRANSITION,
        report.message(),
        a -> a.end(new EndRequest(report, seen.standing(), reached)));
    log.done(report.message());
    memory.ended();
    replaced = end.outcome() == Outcome.REPLACED || end.generation() != seen.generation();
    return new OperationResult(
        reached ? result(seen) : OperationResult.ABORTED, end.generation(), report.message());
  }

  private OperationReport reached(End end) {
    return log.running(OperationState.SUCCEEDED, Step.END_TRANSITION, null, end.why());
  }

  private OperationReport givenUp(End end, BlueGreenSeen seen) {
    if (end.outcome() == Outcome.REPLACED) {
      return log.running(OperationState.ABORTED, Step.END_TRANSITION, null, end.why());
    }
    GivingUp why = memory.givingUp();
    if (why == null) {
      return givenUpBySight(end, seen);
    }
    return context.report(
        why.state(),
        Step.END_TRANSITION,
        why.reason(),
        "Generation %d is given up: %s; %s".formatted(end.generation(), why.why(), end.why()),
        why.reason().equals(Reasons.INVALID_SPEC)
            ? EventReasons.VALIDATION_ERROR
            : EventReasons.OPERATION_ABORTED);
  }

  /** No run decided it, or none that is remembered: what is there says why. */
  private OperationReport givenUpBySight(End end, BlueGreenSeen seen) {
    BlueGreenStanding standing = seen.standing();
    Begun begun = standing.transition();
    boolean wentBack = begun != null && begun.to() != standing.live();
    if (wentBack) {
      return context.report(
          OperationState.ABORTED,
          Step.END_TRANSITION,
          Reasons.ABORTED,
          "Generation %d is given up: it went back; %s".formatted(end.generation(), end.why()),
          EventReasons.OPERATION_ABORTED);
    }
    boolean gone = standing.live() == null || seen.child(standing.live()).isEmpty();
    return context.report(
        OperationState.FAILED,
        Step.END_TRANSITION,
        gone ? Reasons.STATE_NOT_FOUND : Reasons.JOB_FAILED,
        end.why(),
        EventReasons.OPERATION_ABORTED);
  }

  private static String result(BlueGreenSeen seen) {
    if (seen.standing().reached() == 0) {
      return OperationResult.DEPLOYED;
    }
    return seen.settings().wantsRunning() ? OperationResult.UPGRADED : OperationResult.SUSPENDED;
  }
}
