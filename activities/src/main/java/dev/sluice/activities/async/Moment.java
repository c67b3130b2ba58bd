package dev.sluice.activities.async;

import java.time.Duration;

/**
 * A moment by both clocks of the machine. The monotonic one may stand still while the machine
 * sleeps, the other one may be set: the larger difference is the careful answer.
 *
 * @param nanos of {@link System#nanoTime}
 * @param millis of {@link System#currentTimeMillis}
 */
record Moment(long nanos, long millis) {

  /** Now. */
  static Moment now() {
    return new Moment(System.nanoTime(), System.currentTimeMillis());
  }

  /** At most this much time has passed since. */
  Duration since(Moment earlier) {
    Duration monotonic = Duration.ofNanos(nanos - earlier.nanos);
    Duration wall = Duration.ofMillis(millis - earlier.millis);
    return monotonic.compareTo(wall) > 0 ? monotonic : wall;
  }
}
