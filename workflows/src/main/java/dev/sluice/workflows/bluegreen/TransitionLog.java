package dev.sluice.workflows.bluegreen;

import dev.sluice.api.common.OperationState;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepRunner;
import dev.sluice.workflows.operation.StepRunner.Wake;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Functions.Func1;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a transition does and says, and how each step of it is carried out. */
final class TransitionLog {

  private final OperationContext context;
  private final StepRunner steps;
  private final TransitionMemory memory;
  private @Nullable String told;
  private long graceMs;

  TransitionLog(OperationContext context, StepRunner steps, TransitionMemory memory) {
    this.context = context;
    this.steps = steps;
    this.memory = memory;
  }

  /** Says what takes longer, once. */
  void tell(Step step, String what) {
    if (!what.equals(told)) {
      steps.goesOnUntold(step, what);
      steps.report(running(OperationState.RUNNING, step, null, what));
      told = what;
    }
  }

  /** Whether that is what was said last. */
  boolean isTold(String what) {
    return what.equals(told);
  }

  /** Another grace period is told again, because the status says when it is over. */
  void under(TransitionSettings settings) {
    if (graceMs != settings.graceMs()) {
      graceMs = settings.graceMs();
      told = null;
    }
  }

  /** The step that writes it has said that itself. */
  void said(String what) {
    told = what;
  }

  /** Nothing can be done now. */
  void hold(Step at, StepFailure why, boolean offersRestoreFrom) {
    Wake wake = steps.hold(at, why, offersRestoreFrom);
    told = null;
    memory.held(wake == Wake.RETRY);
  }

  /** Something was done. */
  void done(String what) {
    context.done(what);
    memory.progressed();
  }

  OperationReport running(
      OperationState state, Step step, @Nullable String reason, String message) {
    return context.report(state, step, reason, message, null);
  }

  void run(Step step, String summary, Effect effect) {
    boolean unused =
        steps.run(
            step,
            summary,
            BlueGreenActivities.class,
            a -> {
              effect.on(a);
              return true;
            });
  }

  /**
   * Tries once and says so. When that fails the run is held once, after which everything is looked
   * at again: the time that a transition has does not stand still.
   *
   * @return whether it was done
   */
  boolean attempt(Step step, String what, Effect effect) {
    if (!steps.tellsHoldAt(step)) {
      tell(step, what);
    }
    try {
      boolean done =
          steps.tryOnce(
              step,
              what,
              BlueGreenActivities.class,
              a -> {
                effect.on(a);
                return true;
              });
      if (steps.tellsHoldAt(step)) {
        steps.goesOn(step, step.title() + " succeeded");
      }
      return done;
    } catch (ActivityFailure failure) {
      hold(step, steps.failure(failure), false);
      return false;
    }
  }

  /** Empty when it failed, and the run was held for that. */
  <O> Optional<O> await(
      Step step, String summary, long deadlineMs, Func1<BlueGreenActivities, O> call) {
    try {
      return Optional.of(
          steps.awaitInterruptibly(step, summary, deadlineMs, BlueGreenActivities.class, call));
    } catch (ActivityFailure failure) {
      hold(step, steps.failure(failure), false);
      return Optional.empty();
    }
  }

  /** An activity without a result. */
  interface Effect {
    void on(BlueGreenActivities activities);
  }
}
