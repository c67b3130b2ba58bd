package dev.sluice.controller.common;

import java.time.Duration;

/**
 * How often a reconciler comes back to a resource by itself.
 *
 * @param resync how often it is checked that the run of an open operation is still there
 * @param temporalRetry how soon Temporal is tried again while it does not answer
 */
public record ReconcileIntervals(Duration resync, Duration temporalRetry) {

  /** 30 s, 5 s. */
  public static ReconcileIntervals defaults() {
    return new ReconcileIntervals(Duration.ofSeconds(30), Duration.ofSeconds(5));
  }
}
