package dev.sluice.controller.schedule;

import dev.sluice.api.common.SnapshotInterval;
import io.temporal.client.schedules.ScheduleIntervalSpec;
import io.temporal.client.schedules.ScheduleSpec;
import java.time.Duration;
import java.util.List;

/**
 * When a schedule's workflow is started. Many jobs with the same interval are spread over it, and
 * many with the same cron expression over {@link #JITTER}. Pure.
 */
final class ScheduleTimes {

  /** The most that a start of a cron expression is delayed; never beyond the next one. */
  static final Duration JITTER = Duration.ofSeconds(30);

  private ScheduleTimes() {}

  /**
   * @param id of the schedule: decides where in its interval it is
   */
  static ScheduleSpec of(SnapshotInterval interval, String id) {
    if (interval instanceof SnapshotInterval.Every every) {
      long seconds = every.interval().toSeconds();
      Duration offset = Duration.ofSeconds(Math.floorMod((long) id.hashCode(), seconds));
      return ScheduleSpec.newBuilder()
          .setIntervals(List.of(new ScheduleIntervalSpec(Duration.ofSeconds(seconds), offset)))
          .build();
    }
    return ScheduleSpec.newBuilder()
        .setCronExpressions(List.of(((SnapshotInterval.At) interval).cron()))
        .setTimeZoneName("UTC")
        .setJitter(JITTER)
        .build();
  }
}
