package dev.sluice.activities.cluster;

import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.ClusterRef;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Flink's high-availability metadata in Kubernetes: {@code <id>-cluster-config-map} with leaders
 * and job graphs, and for each job that has not ended {@code <id>-<job>-config-map} with its
 * checkpoints. They have no owner, and 1.x marks them with a label that 2.x dropped, so it is the
 * name that tells them. Pure.
 */
public final class HighAvailabilityMetadata {

  private static final String SUFFIX = "-config-map";
  private static final String CHECKPOINT = "checkpointID-";
  private static final Pattern CHECKPOINT_KEY = Pattern.compile(CHECKPOINT + "0*(\\d{1,18})");

  /** Of 1.x and of 2.x. */
  private static final List<String> JOB_GRAPHS = List.of("jobGraph-", "executionPlan-");

  private HighAvailabilityMetadata() {}

  /** Those of the ConfigMaps of a cluster that are such metadata. */
  static List<ConfigMap> of(ClusterRef cluster, List<ConfigMap> configMaps) {
    return configMaps.stream()
        .filter(map -> map.getMetadata().getName().startsWith(cluster.clusterId() + "-"))
        .filter(map -> map.getMetadata().getName().endsWith(SUFFIX))
        .toList();
  }

  /**
   * What it tells about a job. Flink deletes the metadata of a job that has ended, so metadata that
   * is missing proves nothing.
   *
   * @param isOn high availability is on for the cluster that runs
   * @param jobId the job; null when it is not known
   */
  static HighAvailability evidence(
      ClusterRef cluster, boolean isOn, @Nullable String jobId, List<ConfigMap> configMaps) {
    if (!isOn) {
      return HighAvailability.OFF;
    }
    String name = cluster.clusterId() + "-" + jobId + SUFFIX;
    return configMaps.stream()
        .filter(map -> map.getMetadata().getName().equals(name))
        .findFirst()
        .map(
            map ->
                hasCheckpoint(map.getData())
                    ? HighAvailability.CHECKPOINT
                    : HighAvailability.NO_CHECKPOINT)
        .orElse(HighAvailability.NO_METADATA);
  }

  /** Whether there is metadata of that job; Flink removes it once the job has ended. */
  static boolean isThere(ClusterRef cluster, String jobId, List<ConfigMap> configMaps) {
    return evidence(cluster, true, jobId, configMaps) != HighAvailability.NO_METADATA;
  }

  /** Whether the metadata of that job has a checkpoint that it can go on from. */
  static boolean hasCheckpoint(ClusterRef cluster, String jobId, List<ConfigMap> configMaps) {
    return evidence(cluster, true, jobId, configMaps) == HighAvailability.CHECKPOINT;
  }

  /**
   * The id of the newest checkpoint in the metadata of a job. Only Flink can read the pointer to
   * it.
   *
   * @return empty where there is none
   */
  public static OptionalLong newestCheckpoint(
      ClusterRef cluster, String jobId, List<ConfigMap> configMaps) {
    String name = cluster.clusterId() + "-" + jobId + SUFFIX;
    return configMaps.stream()
        .filter(map -> map.getMetadata().getName().equals(name) && map.getData() != null)
        .flatMap(map -> map.getData().keySet().stream())
        .map(CHECKPOINT_KEY::matcher)
        .filter(Matcher::matches)
        .mapToLong(key -> Long.parseLong(key.group(1)))
        .max();
  }

  /** The keys of the job graphs in it, which a JobManager runs instead of what it is given. */
  static Set<String> jobGraphs(ConfigMap map) {
    return map.getData() == null
        ? Set.of()
        : map.getData().keySet().stream()
            .filter(key -> JOB_GRAPHS.stream().anyMatch(key::startsWith))
            .collect(Collectors.toSet());
  }

  /** The jobs whose graphs are in it: those that a JobManager runs when it begins. */
  static List<String> jobs(ClusterRef cluster, List<ConfigMap> configMaps) {
    return of(cluster, configMaps).stream()
        .flatMap(map -> jobGraphs(map).stream())
        .map(key -> key.substring(key.indexOf('-') + 1))
        .distinct()
        .sorted()
        .toList();
  }

  private static boolean hasCheckpoint(@Nullable Map<String, String> data) {
    return data != null && data.keySet().stream().anyMatch(key -> key.startsWith(CHECKPOINT));
  }
}
