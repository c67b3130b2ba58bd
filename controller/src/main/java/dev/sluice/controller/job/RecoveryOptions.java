package dev.sluice.controller.job;

import dev.sluice.api.common.CheckpointInterval;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.controller.observation.PollTarget.HealthLimits;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a configuration says about bringing a lost job back.
 *
 * @param missing its JobManager Deployment is gone
 * @param failed it is FAILED
 * @param health it is not healthy; null when that is not checked
 */
public record RecoveryOptions(boolean missing, boolean failed, @Nullable HealthLimits health) {

  private static final String MISSING = "kubernetes.operator.jm-deployment-recovery.enabled";
  private static final String FAILED = "kubernetes.operator.job.restart.failed";
  private static final String HEALTH = "kubernetes.operator.cluster.health-check.";
  private static final String ENABLED = HEALTH + "enabled";
  private static final String RESTARTS_WINDOW = HEALTH + "restarts.window";
  private static final String RESTARTS = HEALTH + "restarts.threshold";
  private static final String PROGRESS = HEALTH + "checkpoint-progress.enabled";
  private static final String PROGRESS_WINDOW = HEALTH + "checkpoint-progress.window";

  private static final String TIMEOUT = "execution.checkpointing.timeout";
  private static final String TOLERABLE = "execution.checkpointing.tolerable-failed-checkpoints";

  /**
   * One that was deployed may not be valid today: what cannot be read is as if it were not set.
   *
   * @param deployed how the job takes checkpoints
   */
  public static RecoveryOptions of(FlinkConfiguration configuration, FlinkConfiguration deployed) {
    return new RecoveryOptions(
        !is(configuration, MISSING, "false"),
        is(configuration, FAILED, "true"),
        is(configuration, ENABLED, "true") ? health(configuration, deployed) : null);
  }

  private static HealthLimits health(
      FlinkConfiguration configuration, FlinkConfiguration deployed) {
    return new HealthLimits(
        duration(configuration, RESTARTS_WINDOW).orElse(Duration.ofMinutes(2)),
        number(configuration, RESTARTS).orElse(64),
        is(configuration, PROGRESS, "false") ? null : checkpoints(configuration, deployed));
  }

  /** Null for a job that takes no periodic checkpoints. */
  private static @Nullable Duration checkpoints(
      FlinkConfiguration configuration, FlinkConfiguration deployed) {
    Duration interval = duration(deployed, CheckpointInterval.KEY).orElse(Duration.ZERO);
    if (interval.isZero()) {
      return null;
    }
    Duration longest = longer(interval, duration(deployed, TIMEOUT).orElse(Duration.ofMinutes(10)));
    int tolerable = Math.max(0, number(deployed, TOLERABLE).orElse(0));
    // one that has just missed its turn is not late
    return longer(
        interval.multipliedBy(2),
        duration(configuration, PROGRESS_WINDOW)
            .orElseGet(() -> longest.multipliedBy(tolerable + 2L)));
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  private static Optional<Duration> duration(FlinkConfiguration configuration, String key) {
    return FlinkConfiguration.readable(() -> configuration.duration(key))
        .filter(it -> !it.isNegative());
  }

  private static Optional<Integer> number(FlinkConfiguration configuration, String key) {
    return FlinkConfiguration.readable(() -> configuration.integer(key));
  }

  private static boolean is(FlinkConfiguration configuration, String key, String value) {
    return configuration.get(key).filter(it -> it.trim().equalsIgnoreCase(value)).isPresent();
  }
}
