package dev.sluice.activities.job;

import dev.sluice.activities.async.WaitHeartbeat;
import dev.sluice.activities.async.Watcher;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.JobRef;
import io.temporal.activity.ActivityExecutionContext;
import java.time.Clock;

/**
 * The slots of savepoints.
 *
 * @param limiter how many may be taken at a time
 */
public record Savepoints(SavepointLimiter limiter) {

  /**
   * The slot of one savepoint of a job, as its activity waits for it.
   *
   * @param watcher is woken when a slot that was waited for is free
   */
  public SlotQueue slot(
      ActivityExecutionContext activity, JobRef job, Watcher watcher, Clock clock) {
    ClusterRef cluster = job.cluster();
    return new SlotQueue(
        limiter.slot(cluster.namespace(), () -> watcher.wake(cluster.display())),
        queuedMs(activity),
        clock);
  }

  /** As {@link #slot}, of a job that runs on: those come first that a job is stopped with. */
  public SlotQueue patientSlot(
      ActivityExecutionContext activity, JobRef job, Watcher watcher, Clock clock) {
    ClusterRef cluster = job.cluster();
    return new SlotQueue(
        limiter.patientSlot(cluster.namespace(), () -> watcher.wake(cluster.display())),
        queuedMs(activity),
        clock);
  }

  private static long queuedMs(ActivityExecutionContext activity) {
    return activity
        .getHeartbeatDetails(WaitHeartbeat.class)
        .map(WaitHeartbeat::extendedMs)
        .orElse(0L);
  }
}
