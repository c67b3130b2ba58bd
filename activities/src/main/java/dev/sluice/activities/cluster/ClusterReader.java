package dev.sluice.activities.cluster;

import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.manifest.common.ClusterManifests;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Asks the API server for the objects of a cluster, where an answer from memory is not enough.
 * Every method blocks for one to three calls and fails as {@link KubernetesFailure} says.
 */
public final class ClusterReader implements LiveClusters {

  private final KubernetesClient client;

  public ClusterReader(KubernetesClient client) {
    this.client = client;
  }

  @Override
  public Optional<Deployment> deployment(ClusterRef cluster) {
    return deployment(cluster.namespace(), cluster.clusterId());
  }

  @Override
  public Optional<Deployment> taskManagers(ClusterRef cluster) {
    String name = ClusterManifests.taskManagersName(cluster.clusterId());
    return deployment(cluster.namespace(), name)
        .filter(found -> ClusterSelector.isTaskManagers(found, cluster));
  }

  private Optional<Deployment> deployment(String namespace, String name) {
    return KubernetesFailure.translate(
        "read Deployment " + namespace + "/" + name,
        () ->
            Optional.ofNullable(
                client.apps().deployments().inNamespace(namespace).withName(name).get()));
  }

  /** The JobManager Deployment of this instance of a resource, unless it is being deleted. */
  public Optional<Deployment> running(ClusterRef cluster, ResourceRef owner) {
    return deployment(cluster).filter(found -> Ownership.isRunning(found, owner));
  }

  @Override
  public List<Pod> pods(ClusterRef cluster) {
    return list("pods", client.pods(), cluster).filter(ClusterSelector::isClusterPod).toList();
  }

  /** All that tells how the cluster is. */
  public ClusterObjects objects(ClusterRef cluster) {
    Optional<Deployment> jobManager = deployment(cluster);
    return new ClusterObjects(
        jobManager,
        taskManagersBeside(jobManager, cluster),
        pods(cluster),
        configMaps(cluster).toList());
  }

  /** Flink's high-availability metadata, see {@link HighAvailabilityMetadata}. */
  @Override
  public List<ConfigMap> highAvailability(ClusterRef cluster) {
    return HighAvailabilityMetadata.of(cluster, configMaps(cluster).toList());
  }

  /** Services and ConfigMaps of the cluster that belong to this instance of the resource. */
  List<HasMetadata> kept(ClusterRef cluster, ResourceRef owner) {
    return Stream.<HasMetadata>concat(
            list("Services", client.services(), cluster), configMaps(cluster))
        .filter(object -> Ownership.of(object, owner) == Ownership.OURS)
        .toList();
  }

  private Stream<ConfigMap> configMaps(ClusterRef cluster) {
    return list("ConfigMaps", client.configMaps(), cluster);
  }

  private static <T extends HasMetadata, L extends KubernetesResourceList<T>> Stream<T> list(
      String kind, MixedOperation<T, L, ? extends Resource<T>> all, ClusterRef cluster) {
    return KubernetesFailure.translate(
        "list the %s of %s".formatted(kind, cluster.display()),
        () ->
            all
                .inNamespace(cluster.namespace())
                .withLabelSelector(ClusterSelector.of(cluster))
                .list()
                .getItems()
                .stream());
  }
}
