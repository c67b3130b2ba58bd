package dev.sluice.activities.application;

import dev.sluice.workflows.activity.FailureType;
import io.temporal.failure.ApplicationFailure;

/** The failure of what was planned for a cluster that is not there, or is another version's. */
final class VersionOutdated {

  private VersionOutdated() {}

  static ApplicationFailure failure(String message) {
    return ApplicationFailure.newNonRetryableFailure(message, FailureType.OUTDATED);
  }
}
