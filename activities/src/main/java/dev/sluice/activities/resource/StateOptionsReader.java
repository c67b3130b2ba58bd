package dev.sluice.activities.resource;

import dev.sluice.activities.manifest.common.HighAvailabilityOptions;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.HighAvailabilityMode;
import dev.sluice.workflows.model.Observation.StateOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads what a configuration says about state; one that was frozen may not be valid today. */
public final class StateOptionsReader {

  private static final String FALLBACK =
      "kubernetes.operator.job.upgrade.last-state-fallback.enabled";

  private static final String CANCEL =
      "kubernetes.operator.job.upgrade.last-state.job-cancel.enabled";

  private static final String IGNORE = "kubernetes.operator.job.upgrade.ignore-pending-savepoint";

  private static final String MAX_AGE =
      "kubernetes.operator.job.upgrade.last-state.max.allowed.checkpoint.age";

  private StateOptionsReader() {}

  /** What it says; Flink's and Apache's defaults where it does not, or cannot be read. */
  public static StateOptions of(FlinkConfiguration configuration) {
    return new StateOptions(
        HighAvailabilityMode.of(configuration) == HighAvailabilityMode.KUBERNETES,
        configuration.isOn(FALLBACK, true),
        configuration.isOn(CANCEL, true),
        maxAgeMs(configuration),
        configuration.isOn(IGNORE, false),
        store(configuration));
  }

  private static @Nullable String store(FlinkConfiguration configuration) {
    HighAvailabilityMode mode = HighAvailabilityMode.of(configuration);
    return mode.isOn()
        ? mode + " in " + HighAvailabilityOptions.storageDir(configuration).orElse("no directory")
        : null;
  }

  private static @Nullable Long maxAgeMs(FlinkConfiguration configuration) {
    long age = Timeouts.millis(configuration, MAX_AGE, Duration.ZERO);
    return age > 0 ? Long.valueOf(age) : null;
  }
}
