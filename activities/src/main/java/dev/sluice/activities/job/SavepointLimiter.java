package dev.sluice.activities.job;

import dev.sluice.activities.async.WaitHeartbeat;
import dev.sluice.activities.async.Watcher;
import dev.sluice.workflows.model.JobRef;
import io.temporal.activity.ActivityExecutionContext;
import java.time.Clock;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Limits how many savepoints are taken at a time, so that a new version of everything does not
 * overload the storage. Who comes first is served first, except that a full namespace does not hold
 * up the others, and that snapshots come after jobs that wait to be stopped. May be used from any
 * thread.
 *
 * <p>The limits hold for one worker: with n workers a namespace has n times as many.
 */
public final class SavepointLimiter {

  private final int perNamespace;
  private final int perWorker;
  private final Set<Slot> queue = new LinkedHashSet<>();
  private final Map<String, Integer> held = new HashMap<>();
  private final Clock clock;
  private int heldInAll;

  /**
   * @param perNamespace most savepoints at a time in one namespace, at least 1
   * @param perWorker most savepoints at a time in all, at least 1
   */
  public SavepointLimiter(int perNamespace, int perWorker, Clock clock) {
    if (perNamespace < 1 || perWorker < 1) {
      throw new IllegalArgumentException(
          "at least 1 savepoint at a time, not %d and %d".formatted(perNamespace, perWorker));
    }
    this.perNamespace = perNamespace;
    this.perWorker = perWorker;
    this.clock = clock;
  }

  /**
   * The slot of one savepoint of a job, as its activity waits for it; it is not taken yet.
   *
   * @param watcher is woken when a slot that was waited for is free
   */
  public Slot slot(ActivityExecutionContext activity, JobRef job, Watcher watcher) {
    return new Slot(job.cluster().namespace(), wake(job, watcher), false, queuedMs(activity));
  }

  /** The slot of a job that runs on: those come first that a job is stopped with. */
  public Slot patientSlot(ActivityExecutionContext activity, JobRef job, Watcher watcher) {
    return new Slot(job.cluster().namespace(), wake(job, watcher), true, queuedMs(activity));
  }

  /**
   * The slot of a savepoint that nobody has waited for yet.
   *
   * @param granted called, on any thread, when it was waited for and is free now
   */
  public Slot slot(String namespace, Runnable granted) {
    return new Slot(namespace, granted, false, 0);
  }

  private static Runnable wake(JobRef job, Watcher watcher) {
    return () -> watcher.wake(job.cluster().display());
  }

  private static long queuedMs(ActivityExecutionContext activity) {
    return activity
        .getHeartbeatDetails(WaitHeartbeat.class)
        .map(WaitHeartbeat::extendedMs)
        .orElse(0L);
  }

  /** How many slots are taken. */
  public synchronized int inUse() {
    return heldInAll;
  }

  /** How many wait for a slot. */
  public synchronized int waiting() {
    return queue.size();
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
    private final Runnable granted;
    private final boolean patient;
    private long queuedMs;
    private long since;
    private boolean taken;
    private boolean released;

    /**
     * @param granted called, on any thread, when a slot that was waited for is free now
     * @param queuedMs how long earlier attempts waited, in ms
     */
    Slot(String namespace, Runnable granted, boolean patient, long queuedMs) {
      this.namespace = namespace;
      this.granted = granted;
      this.patient = patient;
      this.queuedMs = queuedMs;
    }

    /** Takes it, or begins to wait for it; whether it is taken. */
    public boolean acquire() {
      synchronized (SavepointLimiter.this) {
        if (!taken && !released && !queue.contains(this)) {
          if (isFree(namespace)) {
            take();
          } else {
            since = clock.millis();
            queue.add(this);
          }
        }
        return taken;
      }
    }

    /** Takes it whatever the limit: its savepoint is in progress already. */
    public void hold() {
      synchronized (SavepointLimiter.this) {
        if (!taken && !released) {
          leaveQueue();
          take();
        }
      }
    }

    /** Whether it is waited for. */
    public boolean isWaiting() {
      synchronized (SavepointLimiter.this) {
        return queue.contains(this);
      }
    }

    /** How long it has waited in all, in ms. */
    public long queuedMs() {
      synchronized (SavepointLimiter.this) {
        return queue.contains(this) ? queuedMs + clock.millis() - since : queuedMs;
      }
    }

    /** Gives it back, or stops waiting for it, for good. Harmless when that was done. */
    @Override
    public void close() {
      Set<Slot> served = new LinkedHashSet<>();
      synchronized (SavepointLimiter.this) {
        released = true;
        leaveQueue();
        if (taken) {
          taken = false;
          heldInAll--;
          held.merge(namespace, -1, (count, less) -> count + less == 0 ? null : count + less);
          serve(served, false);
          serve(served, true);
        }
      }
      served.forEach(slot -> slot.granted.run());
    }

    private void serve(Set<Slot> served, boolean thePatient) {
      for (Slot next : List.copyOf(queue)) {
        if (next.patient == thePatient && isFree(next.namespace)) {
          next.leaveQueue();
          next.take();
          served.add(next);
        }
      }
    }

    private void leaveQueue() {
      queuedMs = queuedMs();
      queue.remove(this);
    }

    private void take() {
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
