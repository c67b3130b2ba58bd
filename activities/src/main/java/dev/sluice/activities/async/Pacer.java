package dev.sluice.activities.async;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** The time of one wait: its thread sleeps here, and any thread may wake it. A test is both. */
interface Pacer {

  /** Now. May be called from any thread. */
  Moment moment();

  /**
   * Sleeps until a signal, at most this long. A signal that came before ends it at once.
   *
   * @throws InterruptedException when the worker is shut down by force
   */
  void sleep(Duration atMost) throws InterruptedException;

  /** Ends the sleep. May be called from any thread. */
  void signal();

  /** By the clocks of the machine. */
  static Pacer real() {
    Semaphore signals = new Semaphore(0);
    return new Pacer() {
      @Override
      public Moment moment() {
        return Moment.now();
      }

      @Override
      @SuppressWarnings("ReturnValueIgnored") // a signal or the time: the loop looks itself
      public void sleep(Duration atMost) throws InterruptedException {
        boolean unused = signals.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS);
        int also = signals.drainPermits();
      }

      @Override
      public void signal() {
        signals.release();
      }
    };
  }

  /**
   * A moment by both clocks of the machine. The monotonic one may stand still while the machine
   * sleeps, the other one may be set: the larger difference is the careful answer.
   *
   * @param nanos of {@link System#nanoTime}
   * @param millis of {@link System#currentTimeMillis}
   */
  record Moment(long nanos, long millis) {

    /** Now. */
    static Moment now() {
      return new Moment(System.nanoTime(), System.currentTimeMillis());
    }

    /** At most this much time has passed since. */
    Duration since(Moment earlier) {
      Duration monotonic = Duration.ofNanos(nanos - earlier.nanos);
      Duration wall = Duration.ofMillis(millis - earlier.millis);
      return monotonic.compareTo(wall) > 0 ? monotonic : wall;
    }
  }
}
