package dev.sluice.activities.snapshot;

import dev.sluice.activities.async.WaitHeartbeat;
import io.temporal.activity.ActivityExecutionContext;

/** What the attempts of an activity before this one have done, as far as Temporal tells. */
final class EarlierAttempts {

  private EarlierAttempts() {}

  /** Whether one of them may have changed anything. */
  static boolean mayHaveActed(ActivityExecutionContext activity) {
    return activity.getInfo().getAttempt() > 1 && !wereUntouched(activity);
  }

  private static boolean wereUntouched(ActivityExecutionContext activity) {
    return activity
        .getHeartbeatDetails(WaitHeartbeat.class)
        .filter(WaitHeartbeat::untouched)
        .isPresent();
  }
}
