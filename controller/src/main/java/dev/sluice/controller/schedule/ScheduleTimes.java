package dev.sluice.controller.schedule;

import dev.sluice.api.common.QuartzCron;
import dev.sluice.api.common.SnapshotInterval;
import io.temporal.client.schedules.ScheduleCalendarSpec;
import io.temporal.client.schedules.ScheduleIntervalSpec;
import io.temporal.client.schedules.ScheduleRange;
import io.temporal.client.schedules.ScheduleSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;

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
    QuartzCron cron = ((SnapshotInterval.At) interval).cron();
    return ScheduleSpec.newBuilder()
        .setCalendars(List.of(calendar(cron)))
        .setTimeZoneName("UTC")
        .setJitter(JITTER)
        .build();
  }

  private static ScheduleCalendarSpec calendar(QuartzCron cron) {
    return ScheduleCalendarSpec.newBuilder()
        .setSeconds(ranges(cron.seconds()))
        .setMinutes(ranges(cron.minutes()))
        .setHour(ranges(cron.hours()))
        .setDayOfMonth(ranges(cron.daysOfMonth()))
        .setMonth(ranges(cron.months()))
        .setDayOfWeek(ranges(cron.daysOfWeek()))
        .setYear(cron.isAnyYear() ? List.of() : ranges(cron.years()))
        .build();
  }

  /** Neighbours together. */
  private static List<ScheduleRange> ranges(SortedSet<Integer> values) {
    List<ScheduleRange> ranges = new ArrayList<>();
    int from = values.first();
    int to = from;
    for (int value : values) {
      if (value > to + 1) {
        ranges.add(new ScheduleRange(from, to));
        from = value;
      }
      to = value;
    }
    ranges.add(new ScheduleRange(from, to));
    return ranges;
  }
}
