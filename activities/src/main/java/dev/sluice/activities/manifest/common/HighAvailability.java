package dev.sluice.activities.manifest.common;

import dev.sluice.api.common.FlinkConfiguration;
import java.util.Optional;

/** Flink's high availability, as far as manifests depend on it. */
public final class HighAvailability {
  public static final String CLUSTER_ID = "high-availability.cluster-id";
  public static final String JOB_MANAGER_PORT = "high-availability.jobmanager.port";
  public static final String STORAGE_DIR = "high-availability.storageDir";

  private HighAvailability() {}

  /**
   * Whether it is on: {@code high-availability.type}, or its names of before Flink 1.17, is
   * anything but {@code none}.
   */
  public static boolean isOn(FlinkConfiguration configuration) {
    return configuration
        .get("high-availability.type")
        .or(() -> configuration.get("high-availability"))
        .or(() -> configuration.get("recovery.mode"))
        .map(String::trim)
        .filter(type -> !type.isEmpty() && !type.equalsIgnoreCase("none"))
        .isPresent();
  }

  /** Where job graphs, checkpoint handles and job results are kept. */
  public static Optional<String> storageDir(FlinkConfiguration configuration) {
    return configuration.get(STORAGE_DIR).map(String::trim).filter(dir -> !dir.isEmpty());
  }
}
