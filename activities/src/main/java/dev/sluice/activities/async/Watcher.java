package dev.sluice.activities.async;

import io.temporal.activity.ActivityExecutionContext;
import java.time.Duration;

/**
 * Waits for many things at once and completes the activities that wait for them. A waiting activity
 * holds no thread and no worker slot:
 *
 * <pre>{@code
 * public JobRunning awaitRunning(Target target) {
 *   return watcher.watch(
 *       Activity.getExecutionContext(),
 *       Wait.of(target.key(), "every task of " + target.key() + " to run", ofMinutes(5), () -> look(target)));
 * }
 * }</pre>
 *
 * <p>Give such an activity a heartbeat timeout (about two thirds of it is how often the watcher
 * heartbeats, which is also how soon a cancellation is noticed) and a start-to-close timeout longer
 * than the wait. A wait whose heartbeats are not acknowledged stops looking and acting shortly
 * before that timeout, and goes on when one is.
 */
public interface Watcher extends AutoCloseable {

  /** Failure type of waits that {@link #handOver} gave back; retryable. */
  String HANDED_OVER = "HandedOver";

  /** Failure type of waits whose activity was paused or reset from outside; retryable. */
  String INTERRUPTED = "Interrupted";

  /**
   * Hands the activity over to this watcher, which heartbeats for it, takes its cancellation,
   * completes or fails it. Call it last in the activity method and return its result.
   *
   * @return null, which Temporal ignores: the real result comes with the completion
   * @throws IllegalStateException if the watcher is closed; Temporal then retries the activity
   */
  <T> T watch(ActivityExecutionContext activity, Wait<T> wait);

  /** Looks at once at everything that waits under this key; cheap, from any thread, for any key. */
  void wake(String key);

  /** How many waits are open. */
  int open();

  /**
   * Gives every open wait back to Temporal with a retryable failure, so that another worker takes
   * it up at once rather than after the heartbeat timeout. Blocks until Temporal knows of all, or
   * the time is over. Call it when the worker polls no more, before {@link #close}.
   */
  void handOver(Duration atMost);

  /**
   * Stops looking and heartbeating. Waits that are still open stay open in Temporal, which gives
   * their activities to another worker when their heartbeat timeout is over.
   */
  @Override
  void close();
}
