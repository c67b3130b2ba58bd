package dev.sluice.controller.common;

import java.time.Duration;
import java.time.Instant;

/**
 * How restless a resource has been: the first writes after a calm time may come at once, further
 * ones the later the longer it stays restless.
 *
 * @param level writes that calm has not made up for yet
 * @param last when it was written last
 */
record Restlessness(int level, Instant last) {

  static final Restlessness CALM = new Restlessness(0, Instant.EPOCH);

  /**
   * Writes that need not wait: a job that restarts goes down, comes back, and has all its tasks.
   */
  private static final int AT_ONCE = 3;

  private static final int MOST_UNITS = 6;
  private static final int MOST_LEVEL = AT_ONCE + 3;

  /** From when on the next write may come. */
  Instant next(Duration unit) {
    return level < AT_ONCE
        ? last
        : last.plus(unit.multipliedBy(Math.min(1L << (level - AT_ONCE), MOST_UNITS)));
  }

  /** After a write; each unit in which nothing was to be written takes one off. */
  Restlessness written(Instant now, Duration unit) {
    Duration calm = Duration.between(next(unit), now);
    long units = calm.isNegative() || unit.isZero() ? 0 : calm.dividedBy(unit);
    return new Restlessness((int) Math.min(MOST_LEVEL, Math.max(0, level - units) + 1), now);
  }
}
