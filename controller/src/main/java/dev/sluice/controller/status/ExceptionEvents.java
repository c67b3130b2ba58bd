package dev.sluice.controller.status;

import dev.sluice.activities.flink.JobExceptions.Failure;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.operation.ResourcePhase;
import java.time.Duration;
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

  /** The newest different exceptions, newest first. */
  public static List<StatusEvent> of(SeenResource seen) {
    Job job = seen.job().orElse(null);
    if (job == null || seen.phase() == ResourcePhase.DELETING) {
      return List.of();
    }
    Map<String, Failure> newest = new LinkedHashMap<>();
    job.exceptions().stream()
        .filter(it -> it.at().isAfter(seen.at().minus(RECENT)))
        .forEach(it -> newest.putIfAbsent(same(job, it), it));
    return newest.entrySet().stream()
        .limit(MOST)
        .map(it -> event(job, it.getKey(), it.getValue()))
        .toList();
  }

  /** Offsets, ids and subtasks differ although the failure is the same. */
  private static String same(Job job, Failure failure) {
    return job.id() + " " + failure.summary().replaceAll("\\d+", "#");
  }

  private static StatusEvent event(Job job, String same, Failure newest) {
    StringBuilder message =
        new StringBuilder("Job ").append(job.id()).append(": ").append(newest.summary());
    newest.origin().taskManager().ifPresent(id -> message.append(" on TaskManager ").append(id));
    message.append(" at ").append(newest.at()).append('.');
    newest.frames().forEach(frame -> message.append("\n  ").append(frame));
    return new StatusEvent(true, EventReasons.JOB_EXCEPTION, message.toString(), same, newest.at());
  }
}
