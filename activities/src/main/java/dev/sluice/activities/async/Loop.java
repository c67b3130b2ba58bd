package dev.sluice.activities.async;

import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * The one thread of a watcher. All its state is touched here and nowhere else, so there are no
 * locks; and a test can be the thread and the time itself.
 */
interface Loop extends Executor, AutoCloseable {

  /** Runs a task soon, in order. Dropped when the loop is closed. */
  @Override
  void execute(Runnable task);

  /** Runs a task later, unless it is called off. */
  Timer after(Duration delay, Runnable task);

  /** Now, for measuring how much time has passed. May be asked from any thread. */
  Moment moment();

  @Override
  void close();

  /** A task that is due later. */
  interface Timer {
    /** A timer that is not set. */
    Timer NONE = () -> {};

    /** Calls it off; harmless when it ran. */
    void cancel();
  }
}
