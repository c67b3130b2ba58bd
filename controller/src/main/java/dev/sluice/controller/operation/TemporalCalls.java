package dev.sluice.controller.operation;

import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;

/**
 * The blocking calls of this process to Temporal. Only some are made at the same time, so that a
 * Temporal that does not answer never holds all threads that reconcile; each ends with the timeout
 * of its connection.
 */
public final class TemporalCalls {

  private final String address;
  private final Semaphore permits;

  /**
   * @param address of Temporal, for messages
   * @param most calls at the same time
   */
  public TemporalCalls(String address, int most) {
    this.address = address;
    this.permits = new Semaphore(most);
  }

  /**
   * Makes one call.
   *
   * @throws TemporalFailure when it is refused, not answered, or not made
   */
  public <T> T within(Callable<T> call) {
    if (!permits.tryAcquire()) {
      throw TemporalFailure.notMade();
    }
    try {
      return call.call();
    } catch (Exception failed) {
      throw TemporalFailure.of(address, failed);
    } finally {
      permits.release();
    }
  }
}
