package dev.sluice.workflows.simulation;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** What is to be done, and when. Time passes only by taking what is due later. */
final class Agenda {

  /** 2026-01-01T00:00:00Z, ms since the epoch. */
  private static final long BEGIN = 1_767_225_600_000L;

  private final PriorityQueue<Entry> entries =
      new PriorityQueue<>(Comparator.comparingLong(Entry::at).thenComparingLong(Entry::number));
  private long now = BEGIN;
  private long number;

  /**
   * @param at when it is due, ms since the epoch
   * @param number of what is due at the same time, the one that was added first comes first
   */
  private record Entry(long at, long number, Runnable action) {}

  /** The time, ms since the epoch. */
  long now() {
    return now;
  }

  /** To be done that many ms from now. */
  void add(long laterMs, Runnable action) {
    entries.add(new Entry(now + laterMs, number++, action));
  }

  /** Does the next thing, whenever it is due. False when there is none. */
  boolean takeNext() {
    Entry next = entries.poll();
    return carryOut(next);
  }

  /** Does the next thing that is due now. False when there is none. */
  boolean takeDue() {
    Entry next = entries.peek();
    return next != null && next.at() <= now && carryOut(entries.poll());
  }

  private boolean carryOut(@Nullable Entry entry) {
    if (entry == null) {
      return false;
    }
    now = Math.max(now, entry.at());
    entry.action().run();
    return true;
  }
}
