package dev.sluice.controller.observation;

import java.time.Duration;

/**
 * How often a cluster is asked.
 *
 * @param quick while something is changing
 * @param slow while nothing is expected to change
 * @param patience after this long without a change, something that is changing is asked slowly too
 * @param failures this many in a row before an answer that was there counts as void
 */
public record PollInterval(Duration quick, Duration slow, Duration patience, int failures) {

  /** 1 s, 15 s, 2 min, 3. */
  public static PollInterval defaults() {
    return new PollInterval(
        Duration.ofSeconds(1), Duration.ofSeconds(15), Duration.ofMinutes(2), 3);
  }

  Duration next(boolean settled, Duration unchanged) {
    return settled || unchanged.compareTo(patience) > 0 ? slow : quick;
  }
}
