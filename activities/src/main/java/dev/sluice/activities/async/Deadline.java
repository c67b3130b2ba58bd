package dev.sluice.activities.async;

import io.temporal.activity.ActivityExecutionContext;
import java.time.Clock;

/** The deadline that a workflow fixed. */
public final class Deadline {

  private Deadline() {}

  /**
   * The same moment by the clock of this worker, which may differ from Temporal's.
   *
   * @param deadlineMs by Temporal's clock, ms since the epoch
   */
  public static long here(ActivityExecutionContext activity, Clock clock, long deadlineMs) {
    return clock.millis() + deadlineMs - activity.getInfo().getStartedTimestamp();
  }
}
