package dev.sluice.activities.application;

import dev.sluice.activities.cluster.ClusterReader;
import dev.sluice.activities.cluster.LiveClusters;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.api.application.ApplicationLabels;
import dev.sluice.workflows.model.ClusterRef;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Optional;

/**
 * Asks the API server for the objects of versions' clusters. Every method blocks for one call or
 * two and fails as {@link KubernetesFailure} says.
 */
public final class VersionReader implements LiveClusters {

  private final KubernetesClient client;
  private final ClusterReader others;
  private final VersionMembership membership = new VersionMembership();

  public VersionReader(KubernetesClient client) {
    this.client = client;
    this.others = new ClusterReader(client);
  }

  @Override
  public Optional<Deployment> deployment(ClusterRef cluster) {
    return deployments(cluster).stream()
        .filter(found -> membership.isJobManagers(found, cluster))
        .findFirst();
  }

  @Override
  public Optional<Deployment> taskManagers(ClusterRef cluster) {
    return deployments(cluster).stream()
        .filter(found -> membership.isTaskManagers(found, cluster))
        .findFirst();
  }

  @Override
  public List<Deployment> deployments(ClusterRef cluster) {
    return ofApplication(cluster.namespace(), application(cluster)).stream()
        .filter(
            found ->
                membership.isJobManagers(found, cluster)
                    || membership.isTaskManagers(found, cluster))
        .toList();
  }

  /** The Deployments of all versions of an application, whoever owns them. */
  List<Deployment> ofApplication(String namespace, String application) {
    return KubernetesFailure.translate(
        "list the Deployments of FlinkApplication " + namespace + "/" + application,
        () ->
            client
                .apps()
                .deployments()
                .inNamespace(namespace)
                .withLabel(ApplicationLabels.FLINK_APP, application)
                .list()
                .getItems());
  }

  @Override
  public List<Pod> pods(ClusterRef cluster) {
    return KubernetesFailure.translate(
        "list the pods of " + cluster.display(),
        () ->
            client
                .pods()
                .inNamespace(cluster.namespace())
                .withLabel(ApplicationLabels.FLINK_APP, application(cluster))
                .list()
                .getItems()
                .stream()
                .filter(membership::isPod)
                .filter(pod -> membership.cluster(pod).equals(cluster.display()))
                .toList());
  }

  @Override
  public List<ConfigMap> highAvailability(ClusterRef cluster) {
    return others.highAvailability(cluster);
  }

  /** Hashes have no hyphen. */
  private static String application(ClusterRef cluster) {
    String id = cluster.clusterId();
    return id.substring(0, Math.max(0, id.lastIndexOf('-')));
  }
}
