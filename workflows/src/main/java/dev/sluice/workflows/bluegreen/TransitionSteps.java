package dev.sluice.workflows.bluegreen;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.BeginRequest;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.SwitchRequest;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Apply;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Await;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.AwaitIngress;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Begin;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Delay;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Delete;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.End;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.GiveUp;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Hold;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Invalid;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Nothing;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Outcome;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.PassGates;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.ResumeLive;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.StopLive;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Suspend;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Switch;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.TakeSavepoint;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.TooLate;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Source;
import dev.sluice.workflows.bluegreen.TransitionMemory.GivingUp;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepRunner;
import io.temporal.workflow.Workflow;
import org.jspecify.annotations.Nullable;

/** Carries out one decision of a transition at a time. */
final class TransitionSteps {

  private final OperationContext context;
  private final StepRunner steps;
  private final TransitionMemory memory;
  private final TransitionLog log;
  private final ChildSteps children;
  private final TransitionEnds ends;

  TransitionSteps(OperationContext context, StepRunner steps, TransitionMemory memory) {
    this.context = context;
    this.steps = steps;
    this.memory = memory;
    this.log = new TransitionLog(context, steps, memory);
    this.children = new ChildSteps(context, steps, memory, log);
    this.ends = new TransitionEnds(context, steps, memory, log);
  }

  /** Whether what ended last only made place for a newer spec. */
  boolean isReplaced() {
    return ends.isReplaced();
  }

  /** The end of the run; null when there is more to do. */
  @Nullable OperationResult carryOut(BlueGreenDecision decision, BlueGreenSeen seen) {
    log.under(seen.settings());
    BlueGreenStanding.Begun begun = seen.standing().transition();
    long target =
        begun == null || decision instanceof Begin ? seen.generation() : begun.generation();
    context.generations(
        seen.standing().reached() == 0 ? null : Long.valueOf(seen.standing().reached()), target);
    if (decision instanceof Nothing nothing) {
      return ends.nothing(nothing, seen);
    }
    if (decision instanceof Invalid invalid) {
      return ends.invalid(invalid, seen);
    }
    if (decision instanceof Begin begin) {
      return begin(begin, seen);
    }
    if (decision instanceof End end) {
      return ends.end(end, seen);
    }
    if (decision instanceof Hold hold) {
      hold(hold);
      return null;
    }
    effect(decision, seen);
    return null;
  }

  private void effect(BlueGreenDecision decision, BlueGreenSeen seen) {
    if (decision instanceof TakeSavepoint take) {
      children.takeSavepoint(take, seen);
    } else if (decision instanceof StopLive stop) {
      children.stopLive(stop, seen);
    } else if (decision instanceof ResumeLive resume) {
      children.resumeLive(resume, seen);
    } else if (decision instanceof Apply apply) {
      children.apply(apply, seen);
    } else if (decision instanceof Await await) {
      children.await(await, seen);
    } else if (decision instanceof PassGates gates) {
      children.passGates(gates, seen);
    } else if (decision instanceof Switch to) {
      switchTo(to, seen);
    } else if (decision instanceof AwaitIngress ingress) {
      children.awaitIngress(ingress, seen);
    } else if (decision instanceof Delay delay) {
      if (!log.isTold(delay.why())) {
        context.signals().forgetRetry(); // one that comes once this is told ends the delay
      }
      log.tell(Step.SWITCH_LIVE, delay.why());
      if (steps.pause(Step.SWITCH_LIVE, delay.why(), delay.untilMs())) {
        context.signals().forgetRetry();
        memory.delayIsOver();
      }
    } else if (decision instanceof Suspend suspend) {
      children.suspend(suspend, seen);
    } else if (decision instanceof Delete delete) {
      children.delete(delete, seen);
    } else if (decision instanceof GiveUp giveUp) {
      memory.givesUp(GivingUp.failed(giveUp.reason(), giveUp.why(), seen.standing().transition()));
      context.done("Giving up: " + giveUp.why());
    } else if (decision instanceof TooLate late) {
      memory.goesOn();
      context.done("Too late to abort: " + late.why());
      log.tell(Step.DELETE_CHILD, "Too late to abort: " + late.why());
    } else {
      throw new IllegalStateException("not a step: " + decision);
    }
  }

  private @Nullable OperationResult begin(Begin decision, BlueGreenSeen seen) {
    Step next =
        decision.source() == Source.SAVEPOINT && !seen.settings().exactlyOnce()
            ? Step.TAKE_TRANSITION_SAVEPOINT
            : Step.APPLY_CHILD;
    boolean first = seen.standing().live() == null;
    OperationReport report =
        context.report(
            OperationState.RUNNING,
            next,
            null,
            decision.why(),
            first ? EventReasons.SUBMIT : EventReasons.SPEC_CHANGED);
    steps.goesOnUntold(Step.BEGIN_TRANSITION, decision.why());
    BlueGreenActivities.Begin begin =
        steps.run(
            Step.BEGIN_TRANSITION,
            decision.why(),
            BlueGreenActivities.class,
            a ->
                a.begin(
                    new BeginRequest(
                        report,
                        seen.standing(),
                        decision.to(),
                        decision.source(),
                        decision.known(),
                        Workflow.currentTimeMillis())));
    if (begin instanceof BlueGreenActivities.Begin.Invalid invalid) {
      memory.givesUp(
          new GivingUp(OperationState.ABORTED, Reasons.INVALID_SPEC, invalid.problem(), null));
      return ends.end(new End(Outcome.GIVEN_UP, seen.generation(), "nothing was begun"), seen);
    }
    if (begin instanceof BlueGreenActivities.Begin.Begun) {
      log.said(decision.why());
      log.done(decision.why());
      memory.begun();
    }
    return null;
  }

  private void switchTo(Switch to, BlueGreenSeen seen) {
    steps.goesOnUntold(Step.SWITCH_LIVE, to.why());
    log.run(
        Step.SWITCH_LIVE,
        to.why(),
        a ->
            a.switchLive(
                new SwitchRequest(
                    log.running(OperationState.RUNNING, Step.AWAIT_INGRESS, null, to.why()),
                    seen.standing(),
                    to.child(),
                    Workflow.currentTimeMillis())));
    memory.switched(to.back());
    log.said(to.why());
    log.done(to.why());
  }

  private void hold(Hold hold) {
    log.hold(
        hold.at(),
        new StepFailure(hold.reason(), hold.why(), hold.blocked()),
        hold.offersRestoreFrom());
  }
}
