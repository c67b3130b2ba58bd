package dev.sluice.api.deployment;

import dev.sluice.api.common.FlinkConfiguration;

/**
 * Flink's reactive mode: the job takes all slots there are, and goes on with more or fewer of them
 * when TaskManagers come or go.
 */
public final class ReactiveMode {
  /** The key that switches it on, with the value {@code reactive}. */
  public static final String KEY = "scheduler-mode";

  private ReactiveMode() {}

  /** Whether this Flink configuration switches it on. */
  public static boolean isOn(FlinkConfiguration configuration) {
    return configuration
        .get(KEY)
        .filter(mode -> mode.trim().equalsIgnoreCase("reactive"))
        .isPresent();
  }
}
