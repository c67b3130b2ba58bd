package dev.sluice.workflows.procedure;

import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepRunner;
import dev.sluice.workflows.operation.StepRunner.Wake;
import java.util.function.Supplier;

/**
 * Holds a run that cannot go on, and remembers whether a retry was requested until that is
 * answered. All methods that hold throw {@link dev.sluice.workflows.operation.InterruptedRun} when
 * anything else is asked for.
 */
final class Holding {

  private final StepRunner steps;
  private final Supplier<Observation> look;
  private boolean retry;

  /**
   * @param look observes once
   */
  Holding(OperationContext context, StepRunner steps, Supplier<Observation> look) {
    this.steps = steps;
    this.look = look;
    this.retry = context.input().retry();
  }

  /** Whether a retry was requested, with the run or while it was held, and is not answered. */
  boolean retryAsked() {
    return retry;
  }

  /** A retry was requested while something was waited for. */
  void retryAskedMeanwhile() {
    retry = true;
  }

  /** What was requested is done. */
  void retryAnswered() {
    retry = false;
  }

  /** What may pass is tried again after a pause, anything else once something has changed. */
  void afterFailure(Step step, StepFailure why, boolean offersRestoreFrom, Observation base) {
    if (why.mayPass()) {
      once(step, why, offersRestoreFrom);
    } else {
      untilChanged(step, why, offersRestoreFrom, base);
    }
  }

  /** Returns after a pause, or when a retry is requested. */
  void once(Step step, StepFailure why, boolean offersRestoreFrom) {
    retry = steps.hold(step, why, offersRestoreFrom) == Wake.RETRY;
  }

  /**
   * Returns when a retry is requested, or when the observation has changed.
   *
   * @param base what it must differ from
   */
  void untilChanged(Step step, StepFailure why, boolean offersRestoreFrom, Observation base) {
    Assessment.Signature before = Assessment.signature(base);
    retry = false;
    while (true) {
      if (steps.hold(step, why, offersRestoreFrom) == Wake.RETRY) {
        retry = true;
        return;
      }
      if (!Assessment.signature(look.get()).equals(before)) {
        steps.goesOn(step, "Continuing: the observed state has changed");
        return;
      }
    }
  }
}
