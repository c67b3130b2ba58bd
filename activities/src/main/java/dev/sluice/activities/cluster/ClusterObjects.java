package dev.sluice.activities.cluster;

import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What Kubernetes has of a cluster at one moment.
 *
 * @param deployment the JobManager Deployment of its name, whoever owns it
 * @param taskManagers the Deployment of its TaskManagers in standalone mode, whoever owns it
 * @param pods all of them, those that terminate included
 * @param configMaps with its labels: configuration, pod templates, high-availability metadata
 */
public record ClusterObjects(
    Optional<Deployment> deployment,
    Optional<Deployment> taskManagers,
    List<Pod> pods,
    List<ConfigMap> configMaps) {

  public ClusterObjects {
    pods = List.copyOf(pods);
    configMaps = List.copyOf(configMaps);
  }

  /** Those of the two Deployments that are of this instance and are not being deleted. */
  List<Deployment> running(ResourceRef owner) {
    return deployment.filter(found -> Ownership.isRunning(found, owner)).stream()
        .flatMap(
            found ->
                Stream.concat(
                    Stream.of(found),
                    taskManagers.filter(it -> Ownership.isOwnedBy(it, found)).stream()))
        .toList();
  }
}
