package dev.sluice.api.common;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The kind of high availability that a Flink configuration selects, read as Flink reads it (Flink's
 * {@code HighAvailabilityMode.fromConfig}).
 */
public enum HighAvailabilityMode {
  /** No high availability: a JobManager that restarts knows nothing of its job's checkpoints. */
  NONE,

  /** Metadata in ConfigMaps of the cluster's namespace. */
  KUBERNETES,

  /** ZooKeeper, or a factory class that we do not know. */
  OTHER;

  /** The factory class behind {@link #KUBERNETES}; before 1.16 Flink knows only this name. */
  public static final String KUBERNETES_FACTORY =
      "org.apache.flink.kubernetes.highavailability.KubernetesHaServicesFactory";

  /** The key that Flink 1.17 and later documents. */
  public static final String KEY = "high-availability.type";

  private static final List<String> KEYS = List.of(KEY, "recovery.mode", "high-availability");

  /**
   * {@code standalone} is what Flink called {@code none} when the key was {@code recovery.mode}.
   */
  private static final Set<String> OFF = Set.of("none", "standalone");

  /** The mode that this configuration selects; {@link #NONE} when no key is set. */
  public static HighAvailabilityMode of(FlinkConfiguration configuration) {
    return key(configuration)
        .flatMap(configuration::get)
        .map(String::trim)
        .map(HighAvailabilityMode::parse)
        .orElse(NONE);
  }

  /** Whether a JobManager that restarts finds its job again. */
  public boolean isOn() {
    return this != NONE;
  }

  /** The key that decides: the first in Flink's order that has a value. Empty without any. */
  public static Optional<String> key(FlinkConfiguration configuration) {
    return KEYS.stream().filter(configuration::has).findFirst();
  }

  private static HighAvailabilityMode parse(String value) {
    String lower = value.toLowerCase(Locale.ROOT);
    if (OFF.contains(lower)) {
      return NONE;
    }
    return lower.equals("kubernetes") || value.equals(KUBERNETES_FACTORY) ? KUBERNETES : OTHER;
  }
}
