package dev.sluice.activities.async;

/**
 * Waits in the thread of an activity until something becomes true:
 *
 * <pre>{@code
 * public JobRunning awaitRunning(Target target) {
 *   return watcher.watch(
 *       Wait.of(target.key(), "every task of " + target.key() + " to run", target.deadlineMs(), () -> look(target)));
 * }
 * }</pre>
 *
 * <p>Such an activity needs a heartbeat timeout and a start-to-close timeout longer than the wait.
 * Heartbeats are sent every two thirds of the heartbeat timeout; a cancellation is noticed then. A
 * wait whose heartbeats are not acknowledged stops looking and acting shortly before that timeout,
 * and continues when one is.
 */
public interface Watcher {

  /** Failure type of waits that a stopping worker ended; retryable. */
  String HANDED_OVER = "HandedOver";

  /** Failure type of waits whose activity was paused or reset from outside; retryable. */
  String INTERRUPTED = "Interrupted";

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
