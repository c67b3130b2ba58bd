package dev.sluice.activities.async;

import io.temporal.activity.ActivityExecutionContext;
import java.time.Clock;
import java.time.Duration;

/** Turns the deadline that a workflow fixed into the limit of a {@link Wait}. */
public final class Deadline {

  // the probe itself ends the wait at the deadline, with better words; this is for a probe that
  // never answers
  private static final Duration MARGIN = Duration.ofSeconds(30);

  private Deadline() {}

  /**
   * The same moment by the clock of this worker, which may differ from Temporal's.
   *
   * @param deadlineMs by Temporal's clock, ms since the epoch
   */
  public static long here(ActivityExecutionContext activity, Clock clock, long deadlineMs) {
    return clock.millis() + deadlineMs - activity.getInfo().getStartedTimestamp();
  }

  /**
   * The time from when the activity was first scheduled to shortly after its deadline.
   *
   * @param deadlineMs ms since the epoch
   */
  public static Duration limit(ActivityExecutionContext activity, long deadlineMs) {
    long from = activity.getInfo().getScheduledTimestamp();
    return Duration.ofMillis(Math.max(0, deadlineMs - from)).plus(MARGIN);
  }
}
