package dev.sluice.activities.resource;

import dev.sluice.api.common.FlinkConfiguration;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Whether a deletion begins with a savepoint. Pure. */
public final class DeletionSavepoint {

  private static final String KEY = "kubernetes.operator.job.savepoint-on-deletion";

  // Flink's own default for checkpoints, which is also its limit for savepoints
  private static final String TIMEOUT = "execution.checkpointing.timeout";
  private static final Duration TIMEOUT_DEFAULT = Duration.ofMinutes(10);

  private DeletionSavepoint() {}

  /**
   * How long Flink lets it take, in ms; 0 when none is asked for. What the newest spec says itself
   * decides. Where it does not, one of what was deployed and the defaults of now is enough to ask
   * for it, because the state is gone for ever otherwise.
   *
   * @param own configuration of the newest spec, as people wrote it
   * @param defaults what holds where that does not say
   * @param deployed configuration of what is deployed; null when that is not known
   */
  public static long millis(
      FlinkConfiguration own, FlinkConfiguration defaults, @Nullable FlinkConfiguration deployed) {
    boolean asks =
        own.get(KEY).isPresent()
            ? asksToSave(own)
            : asksToSave(defaults) || (deployed != null && asksToSave(deployed));
    if (!asks) {
      return 0;
    }
    FlinkConfiguration running = deployed == null ? defaults.withAll(own.asMap()) : deployed;
    return Timeouts.millis(running, TIMEOUT, TIMEOUT_DEFAULT);
  }

  /** A typing error counts as yes. */
  private static boolean asksToSave(FlinkConfiguration configuration) {
    return configuration.has(KEY) && configuration.isOn(KEY, true);
  }
}
