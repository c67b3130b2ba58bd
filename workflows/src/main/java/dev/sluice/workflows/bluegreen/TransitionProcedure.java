package dev.sluice.workflows.bluegreen;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Delay;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Hold;
import dev.sluice.workflows.bluegreen.TransitionMemory.GivingUp;
import dev.sluice.workflows.operation.HandOver;
import dev.sluice.workflows.operation.InterruptedRun;
import dev.sluice.workflows.operation.InterruptedRun.Interrupt;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.OutdatedStep;
import dev.sluice.workflows.operation.Rounds;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepRunner;
import dev.sluice.workflows.operation.StepRunner.Wake;
import io.temporal.workflow.Workflow;
import org.jspecify.annotations.Nullable;

/**
 * The runbook of Transition: look, decide, do one step, until the newest spec is reached or given
 * up. Between two steps it listens to what is asked for.
 */
final class TransitionProcedure {

  private final OperationContext context;
  private final StepRunner steps;
  private final TransitionMemory memory;
  private final TransitionSteps carriesOut;
  private final BlueGreenPlanner planner = new BlueGreenPlanner();
  private final Rounds rounds;

  TransitionProcedure(OperationContext context, StepRunner steps) {
    this.context = context;
    this.steps = steps;
    this.memory = new TransitionMemory(context.input());
    this.carriesOut = new TransitionSteps(context, steps, memory);
    this.rounds = new Rounds(context, steps);
    context.beginAnew(this::goOnInARunOfItsOwn);
  }

  /** Returns when the newest spec is reached, or given up. */
  OperationResult reach() {
    while (true) {
      try {
        rounds.look(this::hold);
        OperationResult result = round();
        if (result != null && !goesOnAfterEnd()) {
          return result;
        }
      } catch (OutdatedStep step) {
        rounds.outdated(step);
        memory.outdated();
      } catch (InterruptedRun interrupted) {
        Interrupt interrupt = interrupted.interrupt();
        if (interrupt instanceof Interrupt.Delete) {
          return handOverToDeletion();
        }
        if (interrupt instanceof Interrupt.Abort abort) {
          context.signals().abortTaken();
          memory.givesUp(GivingUp.asked(abort.reason()));
        } else if (interrupt instanceof Interrupt.Gone) {
          throw interrupted;
        }
      }
    }
  }

  private void hold(StepFailure why) {
    memory.held(steps.hold(Step.OBSERVE, why, false) == Wake.RETRY);
  }

  private @Nullable OperationResult round() {
    BlueGreenSeen seen = observe();
    if (seen.deleting()) {
      return handOverToDeletion();
    }
    context.safePoint();
    memory.sees(seen);
    context.beginAnewIfLong();
    BlueGreenDecision next =
        planner.decide(
            context.resource().name(), seen, memory.asked(), Workflow.currentTimeMillis());
    rounds.carryOut(next, next.why(), next instanceof Hold || next instanceof Delay);
    OperationResult result = carriesOut.carryOut(next, seen);
    rounds.carriedOut();
    return result;
  }

  private BlueGreenSeen observe() {
    long wantedBefore = context.signals().wanted();
    BlueGreenSeen seen =
        steps.run(
            Step.OBSERVE,
            "Observe the resource and its children",
            BlueGreenActivities.class,
            a -> a.observe(context.resource()));
    context.signals().observed(wantedBefore, seen.generation());
    context.job(children(seen));
    return seen;
  }

  private static String children(BlueGreenSeen seen) {
    return "Live: %s. Blue: %s. Green: %s."
        .formatted(
            seen.standing().live() == null ? "none" : seen.standing().live(),
            phase(seen.blue()),
            phase(seen.green()));
  }

  private static String phase(@Nullable ChildSeen child) {
    if (child == null) {
      return "does not exist";
    }
    return child.deleting() ? "is being deleted" : TransitionLook.words(child.phase());
  }

  /** What comes as soon as the status says that the operation has ended is for this run. */
  private boolean goesOnAfterEnd() {
    // an abort that came too late for this one is not meant for the next
    context.signals().abortTaken();
    if (context.cancelled()) {
      return false;
    }
    if (context.signals().retryAsked()) {
      context.signals().forgetRetry();
      memory.retryAsked();
      return true;
    }
    context.safePoint();
    return carriesOut.isReplaced();
  }

  private OperationResult handOverToDeletion() {
    return context.cancelled()
        ? OperationResult.cancelled(OperationType.DELETE)
        : HandOver.to(DeleteBlueGreen.TYPE, next(context.target(), "deleted"));
  }

  private void goOnInARunOfItsOwn() {
    OperationResult unused =
        HandOver.to(Transition.TYPE, next(context.signals().known(), "a long history"));
  }

  /** What the next run is started with: what was requested of this one is still to be done. */
  private OperationInput next(long generation, String why) {
    OperationInput next = context.input().next(generation, why);
    GivingUp givingUp = memory.givingUp();
    if (givingUp != null && givingUp.state() == OperationState.ABORTED) {
      next = next.withAborts(givingUp.why());
    }
    return next.withRetry(memory.wantsAgain());
  }
}
