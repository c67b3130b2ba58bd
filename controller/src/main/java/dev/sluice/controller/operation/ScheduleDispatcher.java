package dev.sluice.controller.operation;

import dev.sluice.controller.common.LogContext;
import dev.sluice.controller.common.SingleTry;
import dev.sluice.workflows.model.ResourceRef;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the schedules of resources to Temporal on a thread of its own, so that no reconciliation
 * waits for it, in the order of the calls. What it knows is lost with the process, on purpose: the
 * next one checks every schedule, and a schedule without a resource that wants it deletes itself.
 */
public final class ScheduleDispatcher implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ScheduleDispatcher.class);

  /** So that one that somebody deleted in Temporal comes back. */
  private static final Duration LOOK_AGAIN = Duration.ofMinutes(10);

  private final ScheduleCalls temporal;
  private final Clock clock;
  private final String address;
  private final ConcurrentMap<String, Kept> schedules = new ConcurrentHashMap<>();
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          runnable -> {
            Thread created = new Thread(runnable, "temporal-schedules");
            created.setDaemon(true);
            return created;
          });

  /**
   * @param address of Temporal, for messages
   */
  public ScheduleDispatcher(ScheduleCalls temporal, Clock clock, String address) {
    this.temporal = temporal;
    this.clock = clock;
    this.address = address;
  }

  /**
   * Begins to bring a schedule to what is wanted, unless that is under way, was done a while ago,
   * or has failed a moment ago.
   *
   * @param id of the schedule
   * @param wanted null for none: what this process has not made is left, and ends itself
   * @param done called, on another thread, when it is done or has failed
   * @return when to come back, because the last call failed
   */
  public Optional<Duration> keep(
      ResourceRef resource, String id, @Nullable Recurrence wanted, Runnable done) {
    Instant now = clock.instant();
    Kept last = schedules.get(id);
    if (last == null && wanted == null) {
      return Optional.empty();
    }
    boolean same = last != null && sameAs(last.wanted, wanted);
    if (last != null && same && now.isBefore(last.again)) {
      return last.problem == null
          ? Optional.empty()
          : Optional.of(Duration.between(now, last.again).plusMillis(1));
    }
    // taken for granted until the answer is there
    schedules.put(
        id, new Kept(wanted, now.plus(LOOK_AGAIN), null, last == null ? 0 : last.failures, false));
    submit(resource, id, wanted, done);
    return Optional.empty();
  }

  private static boolean sameAs(@Nullable Recurrence one, @Nullable Recurrence other) {
    return one == null ? other == null : one.equals(other);
  }

  /** Why the last call has failed, once; empty when it has not. */
  public Optional<String> untold(String id) {
    Kept kept = schedules.get(id);
    return kept != null && kept.problem != null && schedules.replace(id, kept, kept.asTold())
        ? Optional.ofNullable(kept.told ? null : kept.problem)
        : Optional.empty();
  }

  /** The resource is gone. */
  public void forget(String id) {
    schedules.remove(id);
  }

  /** The resource goes: its schedule is deleted. When that fails, the next start of it does it. */
  public void end(ResourceRef resource, String id) {
    schedules.remove(id);
    submit(resource, id, null, () -> {});
  }

  private void submit(ResourceRef resource, String id, @Nullable Recurrence wanted, Runnable done) {
    try {
      thread.execute(() -> call(resource, id, wanted, done));
    } catch (RejectedExecutionException closing) {
      LOG.debug("closing", closing);
    }
  }

  private void call(ResourceRef resource, String id, @Nullable Recurrence wanted, Runnable done) {
    try (LogContext context = LogContext.of(resource)) {
      try {
        if (wanted == null) {
          temporal.end(id);
          schedules.computeIfPresent(id, (key, kept) -> kept.wanted == null ? null : kept);
          LOG.info("Ended the schedule {}", id);
        } else {
          temporal.keep(wanted);
          schedules.computeIfPresent(id, (key, kept) -> kept.wellIf(wanted));
        }
      } catch (RuntimeException failed) {
        String why = TemporalFailure.describe(address, failed);
        LOG.warn("{}", why);
        LOG.debug("call to Temporal", failed);
        schedules.computeIfPresent(id, (key, kept) -> kept.failedIf(wanted, why, clock.instant()));
      }
    } finally {
      done.run();
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }

  /**
   * What is known of a schedule.
   *
   * @param wanted null for none
   * @param again when to look again
   * @param problem why it is not so; null when it is
   * @param failures how many calls in a row have failed
   * @param told whether the problem was told
   */
  private record Kept(
      @Nullable Recurrence wanted,
      Instant again,
      @Nullable String problem,
      int failures,
      boolean told) {

    Kept asTold() {
      return new Kept(wanted, again, problem, failures, true);
    }

    Kept wellIf(Recurrence done) {
      return sameAs(wanted, done) ? new Kept(wanted, again, null, 0, false) : this;
    }

    Kept failedIf(@Nullable Recurrence tried, String why, Instant now) {
      if (!sameAs(wanted, tried)) {
        return this;
      }
      int count = failures + 1;
      return new Kept(wanted, now.plus(SingleTry.pauseAfter(count)), why, count, false);
    }
  }
}
