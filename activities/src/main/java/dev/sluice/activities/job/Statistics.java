package dev.sluice.activities.job;

import dev.sluice.api.deployment.FlinkDeploymentSpec;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How old Flink's checkpoint statistics and exceptions of a job may be when it answers them. */
public final class Statistics {

  // Flink's default of web.refresh-interval, after which its caches expire
  private static final Duration DEFAULT = Duration.ofSeconds(3);

  private Statistics() {}

  /**
   * {@code web.refresh-interval} of a cluster; 3 s where it does not say.
   *
   * @param spec that the cluster was made from; null when that is not known
   */
  public static Duration age(@Nullable FlinkDeploymentSpec spec) {
    if (spec == null) {
      return DEFAULT;
    }
    try {
      return spec.configuration().duration("web.refresh-interval").orElse(DEFAULT);
    } catch (IllegalArgumentException malformed) {
      return DEFAULT;
    }
  }
}
