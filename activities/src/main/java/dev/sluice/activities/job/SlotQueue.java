package dev.sluice.activities.job;

import java.time.Clock;

/**
 * The slot of one stop, and for how long the stop has waited for it: that time does not count
 * against its deadline.
 */
final class SlotQueue {

  private final SavepointLimiter.Slot slot;
  private final Clock clock;
  private long queuedMs;
  private long since = -1;

  /**
   * @param queuedMs how long earlier attempts waited, in ms
   */
  SlotQueue(SavepointLimiter.Slot slot, long queuedMs, Clock clock) {
    this.slot = slot;
    this.queuedMs = queuedMs;
    this.clock = clock;
  }

  /** Whether the savepoint may be triggered. */
  synchronized boolean acquire() {
    boolean taken = slot.acquire();
    if (taken) {
      settle();
    } else if (since < 0) {
      since = clock.millis();
    }
    return taken;
  }

  /** The savepoint is in progress. */
  synchronized void hold() {
    slot.hold();
    settle();
  }

  boolean isWaiting() {
    return slot.isWaiting();
  }

  /** How long it has waited in all, in ms. */
  synchronized long queuedMs() {
    return since < 0 ? queuedMs : queuedMs + clock.millis() - since;
  }

  /** The stop has ended. */
  synchronized void release() {
    slot.release();
    settle();
  }

  private void settle() {
    queuedMs = queuedMs();
    since = -1;
  }

  /** {@code waiting for a savepoint slot: 10 of 10 in namespace x}. */
  String display() {
    return "waiting for a savepoint slot: " + slot.display();
  }
}
