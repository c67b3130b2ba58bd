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
}
