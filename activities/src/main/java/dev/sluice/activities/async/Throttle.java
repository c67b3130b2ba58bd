package dev.sluice.activities.async;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * Keeps something that a wait might do at each look to once in a while: asking Flink what memory
 * says it can hardly answer yet, for example.
 */
public final class Throttle {

  private final Clock clock;
  private final Duration gap;
  private Instant due = Instant.MIN;

  /**
   * @param gap the shortest time from one to the next
   */
  public Throttle(Clock clock, Duration gap) {
    this.clock = clock;
    this.gap = gap;
  }

  /** Whether it is time, which the first call always says; the gap begins anew then. */
  public boolean isDue() {
    Instant now = clock.instant();
    if (now.isBefore(due)) {
      return false;
    }
    due = now.plus(gap);
    return true;
  }
}
