package dev.sluice.activities.async;

import java.time.Duration;

/**
 * How often a wait looks. After a look that showed something new the next one comes {@code
 * quickest} later; looks that show the same come less and less often, up to {@code steady}, and
 * after {@code patience} of them up to {@code idle}. A wake makes it look at once; what is seen
 * then decides the pace.
 *
 * @param quickest gap after something changed
 * @param steady longest gap while a change is expected soon
 * @param patience looks without a change before it may be slower than {@code steady}
 * @param idle longest gap of all
 * @param probeTimeout how long one look may take before it is given up as unknown
 */
public record Polling(
    Duration quickest, Duration steady, int patience, Duration idle, Duration probeTimeout) {

  private static final double GROWTH = 1.25;

  /** The same for looks that may take all the time that the wait has left. */
  public Polling withLongLooks() {
    return new Polling(quickest, steady, patience, idle, Duration.ofDays(1));
  }

  /** 200 ms growing to 1 s; after 20 looks without a change up to 2 s; 15 s for one look. */
  public static Polling defaults() {
    return from(Duration.ofMillis(200));
  }

  /** As {@link #defaults()}, for what may be over in a moment, as a small savepoint is in 40 ms. */
  public static Polling quick() {
    return from(Duration.ofMillis(50));
  }

  /** As {@link #defaults()}, beginning with this gap. */
  public static Polling from(Duration quickest) {
    return new Polling(
        quickest, Duration.ofSeconds(1), 20, Duration.ofSeconds(2), Duration.ofSeconds(15));
  }

  /**
   * The gap before the next look.
   *
   * @param unchanged looks since something changed, 0 right after a change
   */
  Duration gap(int unchanged) {
    return unchanged < patience
        ? grown(quickest, unchanged, steady)
        : grown(steady, unchanged - patience, idle);
  }

  private static Duration grown(Duration from, int times, Duration most) {
    double millis = from.toMillis() * Math.pow(GROWTH, Math.min(times, 100));
    return millis >= most.toMillis() ? most : Duration.ofMillis(Math.round(millis));
  }
}
