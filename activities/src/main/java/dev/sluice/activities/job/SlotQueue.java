package dev.sluice.activities.job;

import java.time.Clock;

/**
 * The slot of one savepoint, and for how long it was waited for: that time does not count against
 * its deadline.
 */
public final class SlotQueue {

  private final SavepointLimiter.Slot slot;
  private final Clock clock;
  private long queuedMs;
  private long since = -1;

  /**
   * @param queuedMs how long earlier attempts waited, in ms
   */
  public SlotQueue(SavepointLimiter.Slot slot, long queuedMs, Clock clock) {
    this.slot = slot;
    this.queuedMs = queuedMs;
    this.clock = clock;
  }

  /** Whether the savepoint may be triggered. */
  public synchronized boolean acquire() {
    boolean taken = slot.acquire();
    if (taken) {
      settle();
    } else if (since < 0) {
      since = clock.millis();
    }
    return taken;
  }

  /** The savepoint is in progress. */
  public synchronized void hold() {
    slot.hold();
    settle();
  }

  /** Whether it is waited for. */
  public boolean isWaiting() {
    return slot.isWaiting();
  }

  /** How long it has waited in all, in ms. */
  public synchronized long queuedMs() {
    return since < 0 ? queuedMs : queuedMs + clock.millis() - since;
  }

  /** The savepoint has ended. */
  public synchronized void release() {
    slot.release();
    settle();
  }

  private void settle() {
    queuedMs = queuedMs();
    since = -1;
  }

  /** {@code waiting for a savepoint slot: 10 of 10 in namespace x}. */
  public String display() {
    return "waiting for a savepoint slot: " + slot.display();
  }
}
