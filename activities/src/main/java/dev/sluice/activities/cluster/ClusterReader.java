package dev.sluice.activities.cluster;

import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.workflows.resource.ResourceRef;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Asks the API server for the objects of a cluster, where an answer from memory is not enough.
 * Every method blocks for one or two calls and fails as {@link KubernetesFailure} says.
 */
public final class ClusterReader {

  private static final String HA_SUFFIX = "-config-map";

  private final KubernetesClient client;

  public ClusterReader(KubernetesClient client) {
    this.client = client;
  }

  /** The JobManager Deployment of that name, whoever owns it. */
  public Optional<Deployment> deployment(ResourceRef ref) {
    return KubernetesFailure.told(
        "read Deployment " + ref.display(),
        () ->
            Optional.ofNullable(
                client
                    .apps()
                    .deployments()
                    .inNamespace(ref.namespace())
                    .withName(ref.name())
                    .get()));
  }

  /** The JobManager Deployment of this instance, unless it is being deleted. */
  public Optional<Deployment> running(ResourceRef ref) {
    return deployment(ref)
        .filter(found -> Ownership.of(found, ref) == Ownership.OURS)
        .filter(found -> found.getMetadata().getDeletionTimestamp() == null);
  }

  /** Every pod of the cluster, those that terminate included. */
  public List<Pod> pods(ResourceRef ref) {
    return KubernetesFailure.told(
        "list the pods of " + ref.display(),
        () ->
            client
                .pods()
                .inNamespace(ref.namespace())
                .withLabels(ClusterSelector.of(ref))
                .list()
                .getItems()
                .stream()
                .filter(ClusterSelector::isClusterPod)
                .toList());
  }

  /**
   * Flink's high-availability metadata: {@code <name>-cluster-config-map} and {@code
   * <name>-<job>-config-map}. They have no owner, and 1.x marks them with a label that 2.x dropped,
   * so it is the name that tells them.
   */
  List<ConfigMap> highAvailability(ResourceRef ref) {
    return configMaps(ref)
        .filter(map -> map.getMetadata().getName().startsWith(ref.name() + "-"))
        .filter(map -> map.getMetadata().getName().endsWith(HA_SUFFIX))
        .toList();
  }

  /** Services and ConfigMaps of the cluster that belong to this instance of the resource. */
  List<HasMetadata> kept(ResourceRef ref) {
    Stream<HasMetadata> services =
        KubernetesFailure.told(
            "list the Services of " + ref.display(),
            () ->
                client
                    .services()
                    .inNamespace(ref.namespace())
                    .withLabels(ClusterSelector.of(ref))
                    .list()
                    .getItems()
                    .stream()
                    .map(HasMetadata.class::cast));
    return Stream.concat(services, configMaps(ref))
        .filter(object -> Ownership.of(object, ref) == Ownership.OURS)
        .toList();
  }

  private Stream<ConfigMap> configMaps(ResourceRef ref) {
    return KubernetesFailure.told(
        "list the ConfigMaps of " + ref.display(),
        () ->
            client
                .configMaps()
                .inNamespace(ref.namespace())
                .withLabels(ClusterSelector.of(ref))
                .list()
                .getItems()
                .stream());
  }
}
