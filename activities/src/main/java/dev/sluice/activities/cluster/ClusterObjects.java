package dev.sluice.activities.cluster;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Optional;

/**
 * What Kubernetes has of a cluster at one moment.
 *
 * @param deployment the JobManager Deployment of its name, whoever owns it
 * @param pods all of them, those that terminate included
 * @param configMaps with its labels: configuration, pod templates, high-availability metadata
 */
public record ClusterObjects(
    Optional<Deployment> deployment, List<Pod> pods, List<ConfigMap> configMaps) {

  /** Copies the lists. */
  public ClusterObjects {
    pods = List.copyOf(pods);
    configMaps = List.copyOf(configMaps);
  }
}
