package dev.sluice.controller.status;

import dev.sluice.activities.flink.JobExceptions.Failure;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.operation.ResourcePhase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The events of what jobs fail and restart with. The same exception, whatever numbers are in its
 * message, is one event, on which it is counted. Each is dated, and so recorded once. Pure.
 */
public final class ExceptionEvents {

  /** Different ones of a job at a time. */
  private static final int MOST = 5;

  /** Events expire after an hour, and with them what a restarted controller knows of them. */
  private static final Duration RECENT = Duration.ofMinutes(30);

  private ExceptionEvents() {}

  /** The newest different exceptions, oldest first. */
  public static List<StatusEvent> of(SeenResource seen) {
    Job job = seen.job().orElse(null);
    if (job == null || seen.phase() == ResourcePhase.DELETING) {
      return List.of();
    }
    List<Map.Entry<String, List<Failure>>> groups =
        new ArrayList<>(groups(job, seen.at().minus(RECENT)).entrySet());
    int leftOut = Math.max(0, groups.size() - MOST);
    List<StatusEvent> events = new ArrayList<>();
    for (var group : groups.subList(leftOut, groups.size())) {
      events.add(event(job, group.getKey(), group.getValue(), events.isEmpty() ? leftOut : 0));
    }
    return events;
  }

  /** By what makes them the same, in the order in which they happened first. */
  private static Map<String, List<Failure>> groups(Job job, Instant since) {
    Map<String, List<Failure>> groups = new LinkedHashMap<>();
    for (int i = job.exceptions().size() - 1; i >= 0; i--) {
      Failure failure = job.exceptions().get(i);
      if (failure.at().isAfter(since)) {
        groups.computeIfAbsent(same(job, failure), k -> new ArrayList<>()).add(failure);
      }
    }
    return groups;
  }

  /** Offsets, ids and subtasks differ although the failure is the same. */
  private static String same(Job job, Failure failure) {
    return job.id() + " " + failure.summary().replaceAll("\\d+", "#");
  }

  private static StatusEvent event(Job job, String same, List<Failure> failures, int more) {
    Failure newest = failures.get(failures.size() - 1);
    StringBuilder message =
        new StringBuilder("Job ").append(job.id()).append(": ").append(newest.summary());
    newest.origin().taskManager().ifPresent(id -> message.append(" on TaskManager ").append(id));
    message.append(" at ").append(newest.at()).append('.');
    if (more > 0) {
      message.append(" (and ").append(more).append(" more; see the exceptions in Flink's UI)");
    }
    newest.frames().forEach(frame -> message.append("\n  ").append(frame));
    return StatusEvent.observed(
        EventReasons.JOB_EXCEPTION,
        message.toString(),
        same,
        failures.stream().map(Failure::at).toList());
  }
}
