package dev.sluice.activities.manifest.application;

import dev.sluice.api.Labels;
import dev.sluice.api.application.FlinkApplicationSpec;
import dev.sluice.api.application.ImageVersion;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.HighAvailabilityMode;
import dev.sluice.workflows.model.ClusterRef;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The text of the environment variable {@code FLINK_PROPERTIES}, which the entry point of the image
 * adds to Flink's configuration, line by line. Pure.
 */
final class FlinkProperties {

  private static final String RPC_ADDRESS = "jobmanager.rpc.address";
  private static final String TASK_MANAGER_HOST = "taskmanager.host";

  /** Of the ConfigMaps with the metadata; Flink's default is one in which it has no rights. */
  private static final String NAMESPACE = "kubernetes.namespace";

  private static final List<String> CLUSTER_IDS =
      List.of("kubernetes.cluster-id", "high-availability.cluster-id");
  private static final String WEB_PORT = "jobmanager.web.port";
  private static final String QUERY_PORT = "query.server.port";
  private static final List<String> HEAP_KEYS =
      List.of("jobmanager.heap.size", "taskmanager.heap.size");
  private static final List<String> OLD_HA_KEYS = List.of("recovery.mode", "high-availability");

  private FlinkProperties() {}

  /**
   * @param cluster of the version, as its Deployments and its Service are named
   * @param type {@code jobmanager} or {@code taskmanager}
   * @throws IllegalArgumentException naming the field of the spec that cannot be expressed
   */
  static String of(FlinkApplicationSpec spec, ClusterRef cluster, String type) {
    boolean highlyAvailable = HighAvailabilityMode.of(spec.configuration()).isOn();
    boolean taskManager = type.equals(Labels.COMPONENT_TASK_MANAGER);
    SortedMap<String, String> options = options(spec);
    StringBuilder own = new StringBuilder();
    if (highlyAvailable) {
      add(own, options, NAMESPACE, cluster.namespace());
      CLUSTER_IDS.forEach(key -> add(own, options, key, cluster.clusterId()));
      if (!taskManager) {
        add(own, options, RPC_ADDRESS, "$HOST_IP");
      }
    } else {
      add(own, options, RPC_ADDRESS, cluster.clusterId());
    }
    if (taskManager) {
      add(own, options, TASK_MANAGER_HOST, "$HOST_IP");
    }
    StringBuilder text = new StringBuilder();
    options.forEach((key, value) -> line(text, key, value));
    return text.append('\n').append(own).toString();
  }

  /** What differs from cluster to cluster comes last, and only once. */
  private static void add(
      StringBuilder own, Map<String, String> options, String key, String value) {
    options.remove(key);
    line(own, key, value);
  }

  private static void line(StringBuilder text, String key, String value) {
    text.append(key).append(": ").append(value).append('\n');
  }

  private static SortedMap<String, String> options(FlinkApplicationSpec spec) {
    SortedMap<String, String> options = new TreeMap<>(configured(spec.configuration()));
    options.remove(RPC_ADDRESS);
    options.put("taskmanager.numberOfTaskSlots", spec.taskManagerConfig().taskSlots().toString());
    options.put("jobmanager.rpc.port", spec.rpcPort().toString());
    options.put(WEB_PORT, spec.uiPort().toString());
    options.put("rest.port", spec.uiPort().toString());
    options.put(QUERY_PORT, spec.queryPort().toString());
    options.put("blob.server.port", spec.blobPort().toString());
    options.put("metrics.internal.query-service.port", spec.metricsQueryPort().toString());
    options.putAll(FlinkMemoryKeys.of(spec));
    ImageVersion.of(spec.flinkVersion()).ifPresent(version -> rename(options, version));
    return options;
  }

  /** Flink 2 refuses, or does not know, what earlier versions have taken. */
  private static void rename(SortedMap<String, String> options, ImageVersion version) {
    if (version.isAtLeast(1, 17)) {
      for (String old : OLD_HA_KEYS) {
        String value = options.remove(old);
        if (value != null) {
          options.putIfAbsent(HighAvailabilityMode.KEY, value);
        }
      }
    }
    if (version.isAtLeast(2, 0)) {
      options.remove(WEB_PORT);
      options.remove(QUERY_PORT);
      options.keySet().removeAll(HEAP_KEYS);
    }
  }

  /** The image takes the text line by line. */
  private static Map<String, String> configured(FlinkConfiguration configuration) {
    configuration
        .asMap()
        .forEach(
            (key, value) -> {
              if (key.isBlank()
                  || key.chars().anyMatch(Character::isWhitespace)
                  || key.indexOf(':') >= 0) {
                throw new IllegalArgumentException(
                    "spec.flinkConfig: '%s' must be a key without blanks and colons"
                        .formatted(key.strip()));
              }
              if (value.indexOf('\n') >= 0 || value.indexOf('\r') >= 0) {
                throw new IllegalArgumentException(
                    "spec.flinkConfig.%s: must be one line of text".formatted(key));
              }
            });
    return configuration.asMap();
  }
}
