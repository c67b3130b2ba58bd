package dev.sluice.activities.async;

/**
 * Waits in the thread of an activity until something becomes true. Such an activity needs a
 * heartbeat timeout: a cancellation is noticed within half of it, and a wait whose heartbeats are
 * not acknowledged stops looking and acting shortly before it ends.
 */
public interface Watcher {

  /** Failure type of waits that a stopping worker ended; retryable. */
  String HANDED_OVER = "HandedOver";

  /** Failure type of waits whose activity was paused or reset from outside; retryable. */
  String INTERRUPTED = "Interrupted";

  /**
   * The details of a heartbeat, which people see in Temporal's UI and the next attempt finds.
   *
   * @param progress what was seen last
   * @param extendedMs by how much the wait's deadline is later than it was asked for, in ms
   */
  record Heartbeat(String progress, long extendedMs) {}

  /**
   * Waits. Call it last in the activity method, in its thread, and return its result.
   *
   * @return the result of the look that decided; null for an activity without a result, and for an
   *     attempt that Temporal has given up
   * @throws RuntimeException when the wait fails, is cancelled or handed over; the activity throws
   *     it on
   */
  <T> T watch(Wait<T> wait);

  /** Makes every wait under this key look at once; cheap, from any thread, for any key. */
  void wake(String key);
}
