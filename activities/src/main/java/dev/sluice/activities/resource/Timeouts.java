package dev.sluice.activities.resource;

import dev.sluice.api.common.FlinkConfiguration;
import java.time.Duration;

/** Durations of a configuration that was frozen, and may not be valid by the rules of today. */
public final class Timeouts {

  private static final Duration LONGEST = Duration.ofDays(365);

  private Timeouts() {}

  /** In ms: {@code fallback} where it is absent or cannot be read, at most a year. */
  public static long millis(FlinkConfiguration configuration, String key, Duration fallback) {
    try {
      Duration duration = configuration.duration(key).orElse(fallback);
      return (duration.compareTo(LONGEST) > 0 ? LONGEST : duration).toMillis();
    } catch (IllegalArgumentException | ArithmeticException unreadable) {
      return fallback.toMillis();
    }
  }
}
