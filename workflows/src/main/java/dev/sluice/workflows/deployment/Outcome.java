package dev.sluice.workflows.deployment;

import dev.sluice.workflows.activity.FreezeResult.Frozen;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;

/** What became of an attempt to reach a target. */
sealed interface Outcome {

  /** The target runs and is stable, or is suspended. */
  record Reached(Frozen target) implements Outcome {}

  /** What it was planned for has changed: it is observed and planned again. */
  record Again() implements Outcome {}

  /**
   * A step failed, or nothing can be done now.
   *
   * @param offersRestoreFrom whether the user may choose what to start from
   * @param ofNewJob the job of the target was started, and has not come up or is not stable
   */
  record Failed(Step step, StepFailure why, boolean offersRestoreFrom, boolean ofNewJob)
      implements Outcome {

    /** Of anything but the new job. */
    Failed(Step step, StepFailure why) {
      this(step, why, false, false);
    }

    /** The same for that reason. */
    Failed because(StepFailure told) {
      return new Failed(step, told, offersRestoreFrom, ofNewJob);
    }
  }
}
