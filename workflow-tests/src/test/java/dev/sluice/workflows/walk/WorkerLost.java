package dev.sluice.workflows.walk;

import io.temporal.failure.ApplicationFailure;

/** A worker that is lost while it carries out an activity: the engine tries it again. */
final class WorkerLost {

  private WorkerLost() {}

  static ApplicationFailure at(Point point) {
    return ApplicationFailure.newFailure("the worker was lost at " + point, "WorkerLost");
  }
}
