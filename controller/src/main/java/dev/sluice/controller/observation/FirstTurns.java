package dev.sluice.controller.observation;

import java.time.Duration;

/**
 * Spreads first questions: after a start of the controller all clusters want theirs at the same
 * moment. One that comes alone is asked at once.
 */
final class FirstTurns {

  private final long between;
  private long next;

  /** Begins now, in nanoseconds of any clock. */
  FirstTurns(Duration between, long now) {
    this.between = between.toNanos();
    this.next = now;
  }

  /** How long the next one has to wait for its turn. */
  synchronized Duration waitFrom(long now) {
    long wait = Math.max(0, next - now);
    next = now + wait + between;
    return Duration.ofNanos(wait);
  }
}
