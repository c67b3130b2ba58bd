package dev.sluice.activities.job;

import dev.sluice.activities.async.Watcher;
import dev.sluice.workflows.model.JobRef;
import io.temporal.activity.ActivityExecutionContext;
import java.time.Clock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Limits how many savepoints are taken at a time, so that a new version of everything does not
 * overload the storage. Snapshots come after jobs that wait to be stopped. May be used from any
 * thread.
 *
 * <p>The limits hold for one worker: with n workers a namespace has n times as many.
 */
public final class SavepointLimiter {

  private final int perNamespace;
  private final int perWorker;
  private final Clock clock;
  private final Set<Slot> waiting = new HashSet<>();
  private final Map<String, Integer> held = new HashMap<>();
  private int heldInAll;

  /**
   * @param perNamespace most savepoints at a time in one namespace, at least 1
   * @param perWorker most savepoints at a time in all, at least 1
   */
  public SavepointLimiter(int perNamespace, int perWorker, Clock clock) {
    this.perNamespace = perNamespace;
    this.perWorker = perWorker;
    this.clock = clock;
  }

  /** The slot of one savepoint of a job, as its activity waits for it; it is not taken yet. */
  public Slot slot(ActivityExecutionContext activity, JobRef job) {
    return new Slot(job.cluster().namespace(), false, queuedMs(activity));
  }

  /** The slot of a job that runs on: those come first that a job is stopped with. */
  public Slot patientSlot(ActivityExecutionContext activity, JobRef job) {
    return patientSlot(job.cluster().namespace(), queuedMs(activity));
  }

  Slot patientSlot(String namespace, long queuedMs) {
    return new Slot(namespace, true, queuedMs);
  }

  /** The slot of a savepoint that was not waited for yet. */
  public Slot slot(String namespace) {
    return new Slot(namespace, false, 0);
  }

  private static long queuedMs(ActivityExecutionContext activity) {
    return activity
        .getHeartbeatDetails(Watcher.Heartbeat.class)
        .map(Watcher.Heartbeat::extendedMs)
        .orElse(0L);
  }

  public synchronized int inUse() {
    return heldInAll;
  }

  public synchronized int waiting() {
    return waiting.size();
  }

  private boolean isFree(String namespace) {
    return heldInAll < perWorker && held.getOrDefault(namespace, 0) < perNamespace;
  }

  /**
   * One savepoint's place, and for how long it was waited for: that time does not count against the
   * deadline. It must be closed however its wait ends.
   */
  public final class Slot implements AutoCloseable {

    private final String namespace;
    private final boolean patient;
    private long queuedMs;
    private long sinceMs;
    private boolean taken;
    private boolean released;

    private Slot(String namespace, boolean patient, long queuedMs) {
      this.namespace = namespace;
      this.patient = patient;
      this.queuedMs = queuedMs;
    }

    /** Takes it if it is free, or else waits for it; whether it is taken. */
    public boolean acquire() {
      synchronized (SavepointLimiter.this) {
        boolean others =
            patient && waiting.stream().anyMatch(it -> !it.patient && isFree(it.namespace));
        if (!taken && !released && !others && isFree(namespace)) {
          take();
        } else if (!taken && !released && waiting.add(this)) {
          sinceMs = clock.millis();
        }
        return taken;
      }
    }

    /** Takes it whatever the limit: its savepoint is in progress already. */
    public void hold() {
      synchronized (SavepointLimiter.this) {
        if (!taken && !released) {
          take();
        }
      }
    }

    /** Whether it was waited for, and is not free yet; takes it when it is. */
    public boolean isWaiting() {
      synchronized (SavepointLimiter.this) {
        return waiting.contains(this) && !acquire();
      }
    }

    public long queuedMs() {
      synchronized (SavepointLimiter.this) {
        return waiting.contains(this) ? queuedMs + clock.millis() - sinceMs : queuedMs;
      }
    }

    /** Gives it back, or stops waiting for it, permanently. Harmless when that was done. */
    @Override
    public void close() {
      synchronized (SavepointLimiter.this) {
        released = true;
        leaveQueue();
        if (taken) {
          taken = false;
          heldInAll--;
          held.merge(namespace, -1, Integer::sum);
        }
      }
    }

    private void leaveQueue() {
      queuedMs = queuedMs();
      waiting.remove(this);
    }

    private void take() {
      leaveQueue();
      taken = true;
      heldInAll++;
      held.merge(namespace, 1, Integer::sum);
    }

    /** {@code waiting for a savepoint slot: 10 of 10 in namespace x}. */
    public String display() {
      synchronized (SavepointLimiter.this) {
        int here = held.getOrDefault(namespace, 0);
        return "waiting for a savepoint slot: "
            + (here >= perNamespace
                ? "%d of %d in namespace %s".formatted(here, perNamespace, namespace)
                : "%d of %d in all namespaces".formatted(heldInAll, perWorker));
      }
    }
  }
}
