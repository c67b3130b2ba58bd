package dev.sluice.workflows.walk;

import dev.sluice.workflows.activity.FailureType;
import io.temporal.failure.ApplicationFailure;

/** A worker that is lost while it carries out an activity: the engine tries it again. */
final class WorkerLost {

  private WorkerLost() {}

  static ApplicationFailure at(Point point) {
    return ApplicationFailure.newFailure("the worker was lost at " + point, "WorkerLost");
  }

  /** None is there until the limit of the activity is over. */
  static ApplicationFailure forGood(Point point) {
    return ApplicationFailure.newNonRetryableFailure(
        "the answer was lost at " + point, FailureType.TIMED_OUT);
  }
}
