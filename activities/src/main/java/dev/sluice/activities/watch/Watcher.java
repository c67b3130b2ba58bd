package dev.sluice.activities.watch;

import io.temporal.activity.ActivityExecutionContext;

/**
 * Waits for many things at once and completes the activities that wait for them. A waiting activity
 * holds no thread and no worker slot:
 *
 * <pre>{@code
 * public JobRunning awaitRunning(Target target) {
 *   return watcher.watch(
 *       Activity.getExecutionContext(),
 *       Wait.of(target.key(), "all tasks of " + target.key() + " to run", ofMinutes(5), () -> look(target)));
 * }
 * }</pre>
 */
public interface Watcher extends AutoCloseable {

  /**
   * Hands the activity over to this watcher, which heartbeats for it, takes its cancellation,
   * completes or fails it. Call it last in the activity method and return its result.
   *
   * @return null, which Temporal ignores: the real result comes with the completion
   */
  <T> T watch(ActivityExecutionContext activity, Wait<T> wait);

  /** Looks at once at everything that waits under this key; cheap, from any thread, for any key. */
  void wake(String key);

  /** How many waits are open. */
  int open();

  /** Stops looking. */
  @Override
  void close();
}
