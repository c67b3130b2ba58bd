package dev.sluice.local.flink;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Flink configuration for a laptop: the least memory in which jobs start and stop dozens of times
 * without trouble, and none of the waits that suit a data centre. The manifests in {@code
 * deploy/local/examples} carry the same values.
 */
final class SmallFlinkConfig {

  /** The Kubernetes client of native mode and HA takes 16 MB more than a standalone JobManager. */
  static final String JOBMANAGER_SIZE = "208m";

  static final String TASKMANAGER_SIZE = "192m";

  private SmallFlinkConfig() {}

  /** How a process's memory is divided; what a larger process has more of is heap. */
  static Map<String, String> memory() {
    Map<String, String> config = new LinkedHashMap<>();
    config.put("jobmanager.memory.off-heap.size", "16m");
    config.put("jobmanager.memory.jvm-metaspace.size", "96m");
    config.put("jobmanager.memory.jvm-overhead.min", "32m");
    config.put("taskmanager.memory.framework.heap.size", "24m");
    config.put("taskmanager.memory.framework.off-heap.size", "8m");
    config.put("taskmanager.memory.managed.size", "1m");
    config.put("taskmanager.memory.network.min", "4m");
    config.put("taskmanager.memory.network.max", "4m");
    // of off-heap and network memory, what the shuffle of a batch job takes: 64m and 16m unless set
    config.put("taskmanager.memory.framework.off-heap.batch-shuffle.size", "2m");
    config.put("taskmanager.network.sort-shuffle.min-buffers", "16");
    config.put("taskmanager.memory.jvm-metaspace.size", "96m");
    config.put("taskmanager.memory.jvm-overhead.min", "32m");
    return config;
  }

  /**
   * Delays of a second instead of tens of seconds, and figures that are fresh when they are read.
   */
  static Map<String, String> quick() {
    Map<String, String> config = new LinkedHashMap<>();
    config.put("cluster.registration.error-delay", "500");
    config.put("cluster.registration.refused-registration-delay", "1000");
    config.put("heartbeat.interval", "2000");
    config.put("heartbeat.timeout", "6000");
    config.put("web.refresh-interval", "200");
    config.put("metrics.fetcher.update-interval", "200");
    return config;
  }
}
