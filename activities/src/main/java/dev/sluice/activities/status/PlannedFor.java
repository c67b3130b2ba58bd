package dev.sluice.activities.status;

import dev.sluice.activities.resource.StoredResource;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.Standing;
import io.temporal.failure.ApplicationFailure;

/** Refuses what was planned for a status that stands elsewhere by now. */
final class PlannedFor {

  private PlannedFor() {}

  /**
   * Nothing is refused when the status stands as it was planned for, or as the effect itself leaves
   * it: then this is the same call again.
   *
   * @throws ApplicationFailure {@code Outdated}
   */
  static void check(StoredResource resource, Standing plannedFor, Standing after) {
    Standing now = resource.observed().standing();
    if (!now.equals(plannedFor) && !now.equals(after)) {
      throw outdated("the status was written since: it is %s, not %s".formatted(now, plannedFor));
    }
  }

  static ApplicationFailure outdated(String message) {
    return ApplicationFailure.newNonRetryableFailure(message, FailureType.OUTDATED);
  }
}
