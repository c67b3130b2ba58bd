package dev.sluice.activities.job;

import dev.sluice.activities.async.Watcher;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.temporal.activity.ActivityExecutionContext;
import java.time.Clock;
import java.time.Duration;

/**
 * Limits how many savepoints this worker takes at a time, so that a new version of everything does
 * not overload the storage. Snapshots come after jobs that wait to be stopped. May be used from any
 * thread.
 */
public final class SavepointLimiter {

  private final int most;
  private final Clock clock;
  private final Counter completed;
  private final Counter failed;
  private final Timer duration;
  private int taken;
  private int waiting;
  private int waitingStops; // of these

  /**
   * @param most savepoints at a time, at least 1
   * @param registry gets how many are taken and wait now, and how many ended after what time
   */
  public SavepointLimiter(int most, Clock clock, MeterRegistry registry) {
    this.most = most;
    this.clock = clock;
    registry.gauge("sluice.savepoints.running", this, SavepointLimiter::inUse);
    registry.gauge("sluice.savepoints.waiting", this, SavepointLimiter::waiting);
    // from the start at 0: Prometheus sees no increase up to the first value of a series
    this.completed = registry.counter("sluice.savepoints", "outcome", "completed");
    this.failed = registry.counter("sluice.savepoints", "outcome", "failed");
    this.duration = registry.timer("sluice.savepoint.duration");
  }

  /** The slot of the savepoint that an activity stops a job with; it is not taken yet. */
  public Slot slot(ActivityExecutionContext activity) {
    return new Slot(true, queuedMs(activity));
  }

  /** The slot of the savepoint of a job that runs on. */
  public Slot patientSlot(ActivityExecutionContext activity) {
    return new Slot(false, queuedMs(activity));
  }

  /** The slot of a savepoint that was not waited for yet. */
  public Slot slot() {
    return new Slot(true, 0);
  }

  Slot patientSlot() {
    return new Slot(false, 0);
  }

  private static long queuedMs(ActivityExecutionContext activity) {
    return activity
        .getHeartbeatDetails(Watcher.Heartbeat.class)
        .map(Watcher.Heartbeat::extendedMs)
        .orElse(0L);
  }

  public synchronized int inUse() {
    return taken;
  }

  public synchronized int waiting() {
    return waiting;
  }

  private enum Place {
    NONE,
    WAITING,
    TAKEN,
    CLOSED
  }

  /**
   * One savepoint's place, and for how long it was waited for: that time does not count against the
   * deadline. It must be closed however its wait ends.
   */
  public final class Slot implements AutoCloseable {
    private final boolean stops;
    private Place place = Place.NONE;
    private long queuedMs;
    private long sinceMs;
    private long acquiredMs; // 0 before, and when the savepoint was found in progress

    private Slot(boolean stops, long queuedMs) {
      this.stops = stops;
      this.queuedMs = queuedMs;
    }

    /** Takes it if it is free, or else waits for it; whether it is taken. */
    public boolean acquire() {
      synchronized (SavepointLimiter.this) {
        if (place == Place.NONE || place == Place.WAITING) {
          boolean others = !stops && waitingStops > 0;
          to(taken < most && !others ? Place.TAKEN : Place.WAITING);
          acquiredMs = place == Place.TAKEN ? clock.millis() : 0;
        }
        return place == Place.TAKEN;
      }
    }

    /** Takes it whatever the limit: its savepoint is in progress already. */
    public void hold() {
      synchronized (SavepointLimiter.this) {
        if (place != Place.CLOSED) {
          to(Place.TAKEN);
        }
      }
    }

    /** Whether it was waited for, and is not free yet; takes it when it is. */
    public boolean isWaiting() {
      synchronized (SavepointLimiter.this) {
        return place == Place.WAITING && !acquire();
      }
    }

    /** Counts the savepoint as completed. Its duration is unknown if another attempt began it. */
    public void completed() {
      completed.increment();
      synchronized (SavepointLimiter.this) {
        if (acquiredMs != 0) {
          duration.record(Duration.ofMillis(clock.millis() - acquiredMs));
        }
      }
    }

    /** Counts a savepoint as failed. */
    public void failed() {
      failed.increment();
    }

    public long queuedMs() {
      synchronized (SavepointLimiter.this) {
        return place == Place.WAITING ? queuedMs + clock.millis() - sinceMs : queuedMs;
      }
    }

    /** Gives it back, or stops waiting for it, permanently. Harmless when that was done. */
    @Override
    public void close() {
      synchronized (SavepointLimiter.this) {
        to(Place.CLOSED);
      }
    }

    private void to(Place next) {
      queuedMs = queuedMs();
      sinceMs = clock.millis();
      taken += (next == Place.TAKEN ? 1 : 0) - (place == Place.TAKEN ? 1 : 0);
      int queued = (next == Place.WAITING ? 1 : 0) - (place == Place.WAITING ? 1 : 0);
      waiting += queued;
      waitingStops += stops ? queued : 0;
      place = next;
    }

    public String display() {
      return "waiting for a savepoint slot: this worker takes %d of %d".formatted(inUse(), most);
    }
  }
}
