package dev.sluice.workflows.operation;

import io.temporal.failure.ActivityFailure;

/**
 * The cluster, the job or the target is not the one that a step was made for, so nothing was done:
 * observe and plan again.
 */
public final class OutdatedStep extends RuntimeException {

  private static final long serialVersionUID = 1L;

  OutdatedStep(ActivityFailure failure) {
    super(StepFailure.of(failure).message(), failure);
  }
}
