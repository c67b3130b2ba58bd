package dev.sluice.controller.operation;

import dev.sluice.controller.common.LogContext;
import dev.sluice.controller.common.SingleTry;
import dev.sluice.workflows.model.ResourceRef;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the schedules of resources to Temporal on a thread of its own, so that no reconciliation
 * waits for it, in the order of the calls. What it knows is lost with the process, on purpose: the
 * next one checks every schedule, and a schedule without a resource that wants it deletes itself
 * when it fires.
 */
public final class ScheduleDispatcher implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ScheduleDispatcher.class);

  /** So that one that somebody deleted in Temporal comes back. */
  private static final Duration LOOK_AGAIN = Duration.ofMinutes(10);

  private final ScheduleCalls temporal;
  private final Clock clock;
  private final String address;
  private final Map<String, Kept> schedules = new HashMap<>();

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
   * or has failed a moment ago. At most one call waits for each schedule, for what is wanted then.
   *
   * @param id of the schedule
   * @param wanted null for none: what this process has not made is left, and ends itself
   * @param failed called, on another thread, when it has failed
   * @return when to come back, because the last call failed
   */
  public synchronized Optional<Duration> keep(
      ResourceRef resource, String id, @Nullable Recurrence wanted, Runnable failed) {
    Instant now = clock.instant();
    Kept kept = schedules.get(id);
    if (kept == null) {
      if (wanted == null) {
        return Optional.empty();
      }
      kept = new Kept(resource);
      schedules.put(id, kept);
    } else if (sameAs(kept.wanted, wanted)) {
      if (kept.isUnderWay()) {
        return Optional.empty();
      }
      if (now.isBefore(kept.again)) {
        return kept.problem == null
            ? Optional.empty()
            : Optional.of(Duration.between(now, kept.again).plusMillis(1));
      }
    }
    kept.wanted = wanted;
    kept.failed = failed;
    if (!kept.queued) {
      kept.queued = true;
      submit(() -> bring(resource, id));
    }
    return Optional.empty();
  }

  private static boolean sameAs(@Nullable Recurrence one, @Nullable Recurrence other) {
    return one == null ? other == null : one.equals(other);
  }

  /** Why the last call has failed, once; empty when it has not. */
  public synchronized Optional<String> untold(String id) {
    Kept kept = schedules.get(id);
    if (kept == null || kept.problem == null || kept.told) {
      return Optional.empty();
    }
    kept.told = true;
    return Optional.of(kept.problem);
  }

  /** The resource is gone. */
  public synchronized void forget(String id) {
    Kept kept = schedules.remove(id);
    if (kept != null && kept.wanted != null) {
      // it went without a word, as when somebody removes its finalizer
      submit(() -> call(kept.resource, id, null));
    }
  }

  /**
   * The resource goes, and its schedule is deleted. Where Temporal does not answer it deletes
   * itself when it fires.
   */
  public synchronized void end(ResourceRef resource, String id) {
    schedules.remove(id);
    submit(() -> call(resource, id, null));
  }

  private void submit(Runnable task) {
    try {
      thread.execute(task);
    } catch (RejectedExecutionException closing) {
      LOG.debug("closing", closing);
    }
  }

  /** Does what is wanted now, which may be something else than when it was queued. */
  private void bring(ResourceRef resource, String id) {
    Kept kept;
    Recurrence wanted;
    synchronized (this) {
      kept = schedules.get(id);
      if (kept == null) {
        return; // the resource has gone since
      }
      kept.queued = false;
      kept.running = true;
      wanted = kept.wanted;
    }
    String why = call(resource, id, wanted);
    Runnable failed = answered(id, kept, wanted, why);
    if (failed != null) {
      failed.run();
    }
  }

  /** Returns who has to know that it has failed. */
  private synchronized @Nullable Runnable answered(
      String id, Kept kept, @Nullable Recurrence tried, @Nullable String why) {
    kept.running = false;
    if (!sameAs(kept.wanted, tried)) {
      return null; // the next call, which is queued, tells
    }
    if (why != null) {
      kept.failed(why, clock.instant());
      return kept.failed;
    }
    if (tried == null) {
      schedules.remove(id, kept);
    }
    kept.done(clock.instant().plus(LOOK_AGAIN));
    return null;
  }

  /** Returns why it has failed; null when it is done. */
  private @Nullable String call(ResourceRef resource, String id, @Nullable Recurrence wanted) {
    try (LogContext context = LogContext.of(resource)) {
      if (wanted == null) {
        temporal.end(id);
        LOG.info("Ended the schedule {}", id);
      } else {
        temporal.keep(wanted);
      }
      return null;
    } catch (RuntimeException failed) {
      String why = TemporalFailure.describe(address, failed);
      LOG.warn("{}", why);
      LOG.debug("call to Temporal", failed);
      return why;
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }

  /** What is known of a schedule. Guarded by the dispatcher. */
  private static final class Kept {

    private final ResourceRef resource;

    /** Null for none. */
    private @Nullable Recurrence wanted;

    /** Has to know when it has failed. */
    private @Nullable Runnable failed;

    private boolean queued;
    private boolean running;

    /** When to look again. */
    private Instant again = Instant.EPOCH;

    /** Why it is not as it is wanted; null when it is. */
    private @Nullable String problem;

    /** Whether the problem was told. */
    private boolean told;

    /** How many calls in a row have failed. */
    private int failures;

    Kept(ResourceRef resource) {
      this.resource = resource;
    }

    boolean isUnderWay() {
      return queued || running;
    }

    void done(Instant lookAgain) {
      again = lookAgain;
      problem = null;
      failures = 0;
    }

    void failed(String why, Instant now) {
      told = told && why.equals(problem);
      problem = why;
      failures++;
      again = now.plus(SingleTry.pauseAfter(failures));
    }
  }
}
