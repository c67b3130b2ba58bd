package dev.sluice.activities.job;

import dev.sluice.api.common.FlinkConfiguration;
import java.time.Duration;

/** How old Flink's checkpoint statistics and exceptions of a job may be when it answers them. */
public final class Statistics {

  // Flink's default of web.refresh-interval, after which its caches expire
  private static final Duration DEFAULT = Duration.ofSeconds(3);

  private Statistics() {}

  /** {@code web.refresh-interval} of a cluster; 3 s where it does not say. */
  public static Duration age(FlinkConfiguration configuration) {
    try {
      return configuration.duration("web.refresh-interval").orElse(DEFAULT);
    } catch (IllegalArgumentException malformed) {
      return DEFAULT;
    }
  }
}
