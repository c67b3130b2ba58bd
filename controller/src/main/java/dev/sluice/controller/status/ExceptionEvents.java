package dev.sluice.controller.status;

import dev.sluice.activities.flink.JobExceptions.Failure;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.operation.ResourcePhase;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The events of what jobs fail and restart with. The same exception, whatever numbers are in its
 * message, is one event, on which it is counted. Different ones are limited: a few in each minute,
 * the others as a number.
 */
public final class ExceptionEvents {

  /** Different ones of a job in a minute. */
  private static final int MOST = 5;

  private static final Duration WINDOW = Duration.ofMinutes(1);

  /** Events expire after an hour, and with them what a restarted controller knows of them. */
  private static final Duration RECENT = Duration.ofMinutes(30);

  private final Clock clock;
  private final ConcurrentMap<String, Told> told = new ConcurrentHashMap<>();

  /** Measures by this clock. */
  public ExceptionEvents(Clock clock) {
    this.clock = clock;
  }

  /** What is new since the last call for the same resource, oldest first. */
  public List<StatusEvent> of(SeenResource seen) {
    Job job = seen.job().orElse(null);
    if (job == null || job.exceptions().isEmpty() || seen.phase() == ResourcePhase.DELETING) {
      return List.of();
    }
    Instant now = clock.instant();
    String key = seen.ref().uid();
    Told before = told.getOrDefault(key, Told.NOTHING).at(now);
    Map<String, List<Failure>> fresh = fresh(job, before.upTo, now);
    if (fresh.isEmpty()) {
      return List.of();
    }
    List<StatusEvent> events = new ArrayList<>();
    Set<String> inWindow = new HashSet<>(before.inWindow);
    List<String> others = fresh.keySet().stream().filter(it -> !inWindow.contains(it)).toList();
    int leftOut = Math.max(0, others.size() - (MOST - inWindow.size()));
    int more = before.more + leftOut;
    // the newest ones are worth more than those that led to them
    List<String> tells = others.subList(leftOut, others.size());
    for (var group : fresh.entrySet()) {
      if (tells.contains(group.getKey())) {
        events.add(event(job, group.getKey(), group.getValue(), more));
        more = 0;
      } else if (inWindow.contains(group.getKey())) {
        events.add(event(job, group.getKey(), group.getValue(), 0));
      }
    }
    inWindow.addAll(tells);
    told.put(key, new Told(job.exceptions().get(0).at(), before.since, inWindow, more));
    return events;
  }

  /** The resource is gone. */
  public void forget(String uid) {
    told.remove(uid);
  }

  /** By what makes them the same, in the order in which they happened first. */
  private static Map<String, List<Failure>> fresh(Job job, Instant upTo, Instant now) {
    Map<String, List<Failure>> groups = new LinkedHashMap<>();
    for (int i = job.exceptions().size() - 1; i >= 0; i--) {
      Failure failure = job.exceptions().get(i);
      if (failure.at().isAfter(upTo) && failure.at().isAfter(now.minus(RECENT))) {
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

  /**
   * What was told of a job.
   *
   * @param upTo the newest of its exceptions that were looked at
   * @param since when the minute began
   * @param inWindow what was told in this minute; when it happens again it takes no room
   * @param more how many were left out and not said yet
   */
  private record Told(Instant upTo, Instant since, Set<String> inWindow, int more) {

    static final Told NOTHING = new Told(Instant.EPOCH, Instant.EPOCH, Set.of(), 0);

    Told at(Instant now) {
      return now.isBefore(since.plus(WINDOW)) ? this : new Told(upTo, now, Set.of(), more);
    }
  }
}
