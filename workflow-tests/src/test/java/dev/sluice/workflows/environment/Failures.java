package dev.sluice.workflows.environment;

import io.temporal.failure.ApplicationFailure;

/** How effects fail. */
final class Failures {

  /** Type of a failure of the API server, Flink or the network that passes. */
  static final String AWAY = "Away";

  private Failures() {}

  /** The engine does not try again. */
  static ApplicationFailure permanent(String type, String message) {
    return ApplicationFailure.newNonRetryableFailure(message, type);
  }

  /** The engine tries again. */
  static ApplicationFailure passing(String type, String message) {
    return ApplicationFailure.newFailure(message, type);
  }
}
