package dev.sluice.activities.snapshot;

import dev.sluice.activities.async.WaitHeartbeat;
import dev.sluice.workflows.snapshot.SnapshotActivities.TakeRequest;
import io.temporal.activity.ActivityExecutionContext;
import java.time.Duration;

/** What the attempts of an activity before this one have done, as far as Temporal tells. */
final class EarlierAttempts {

  private static final Duration MOMENT = Duration.ofSeconds(10);

  private EarlierAttempts() {}

  /** Whether one of them may have changed anything. */
  static boolean mayHaveActed(ActivityExecutionContext activity) {
    return activity.getInfo().getAttempt() > 1 && !wereUntouched(activity);
  }

  /** Whether it is certain that nothing was triggered, by any run. */
  static boolean triggeredNothing(ActivityExecutionContext activity, TakeRequest request) {
    return isFresh(activity, request) || wereUntouched(activity);
  }

  /** A trigger that was recorded a moment ago, and that no other attempt of the activity had. */
  private static boolean isFresh(ActivityExecutionContext activity, TakeRequest request) {
    long recordedFor = activity.getInfo().getScheduledTimestamp() - request.trigger().atMs();
    return activity.getInfo().getAttempt() == 1
        && request.mayTrigger()
        && recordedFor < MOMENT.toMillis();
  }

  private static boolean wereUntouched(ActivityExecutionContext activity) {
    return activity
        .getHeartbeatDetails(WaitHeartbeat.class)
        .filter(WaitHeartbeat::untouched)
        .isPresent();
  }
}
