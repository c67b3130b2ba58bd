package dev.sluice.activities.manifest.common;

import dev.sluice.api.common.FlinkConfiguration;
import java.util.Optional;

/** Options of Flink's high availability that manifests depend on. */
public final class HighAvailabilityOptions {
  public static final String CLUSTER_ID = "high-availability.cluster-id";
  public static final String JOB_MANAGER_PORT = "high-availability.jobmanager.port";
  public static final String STORAGE_DIR = "high-availability.storageDir";

  private HighAvailabilityOptions() {}

  /** Where job graphs, checkpoint handles and job results are kept. */
  public static Optional<String> storageDir(FlinkConfiguration configuration) {
    return configuration.get(STORAGE_DIR).map(String::trim).filter(dir -> !dir.isEmpty());
  }
}
