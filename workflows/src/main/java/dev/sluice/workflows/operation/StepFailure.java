package dev.sluice.workflows.operation;

import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.TimeoutFailure;

/**
 * Why a step failed for good, for people.
 *
 * @param type one of {@link FailureType}
 * @param message what failed, on what, and why
 */
record StepFailure(String type, String message) {

  static StepFailure of(ActivityFailure failure) {
    Throwable cause = failure.getCause();
    if (cause instanceof ApplicationFailure application) {
      return new StepFailure(application.getType(), application.getOriginalMessage());
    }
    if (cause instanceof TimeoutFailure timeout) {
      return new StepFailure(
          FailureType.TIMED_OUT,
          "%s did not end in time (%s)"
              .formatted(failure.getActivityType(), timeout.getTimeoutType()));
    }
    return new StepFailure(FailureType.TIMED_OUT, String.valueOf(failure.getMessage()));
  }
}
