package dev.sluice.activities.deployment;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.HighAvailabilityMode;
import dev.sluice.workflows.model.Observation.StateOptions;

/** Reads what a configuration says about state; one that was frozen may not be valid today. */
final class StateOptionsReader {

  private static final String FALLBACK =
      "kubernetes.operator.job.upgrade.last-state-fallback.enabled";

  private StateOptionsReader() {}

  static StateOptions of(FlinkConfiguration configuration) {
    return new StateOptions(
        HighAvailabilityMode.of(configuration) == HighAvailabilityMode.KUBERNETES,
        !isFalse(configuration, FALLBACK));
  }

  private static boolean isFalse(FlinkConfiguration configuration, String key) {
    return configuration.get(key).filter(it -> it.trim().equalsIgnoreCase("false")).isPresent();
  }
}
