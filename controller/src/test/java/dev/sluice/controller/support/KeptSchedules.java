package dev.sluice.controller.support;

import dev.sluice.controller.schedule.ScheduleCalls;
import dev.sluice.controller.schedule.ScheduleCalls.Recurrence;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Schedules in memory: nothing is started by them. */
final class KeptSchedules implements ScheduleCalls {

  private final ConcurrentMap<String, String> intervals = new ConcurrentHashMap<>();

  @Override
  public void keep(Recurrence wanted) {
    intervals.put(wanted.id(), wanted.interval().text());
  }

  @Override
  public void end(String id) {
    intervals.remove(id);
  }

  Map<String, String> intervals() {
    return Map.copyOf(intervals);
  }
}
