package dev.sluice.e2e.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.local.demo.Deployments;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.stream.Stream;

/** What the API server has of a Flink cluster and of Sluice. */
final class DeployedObjects {

  private static final ObjectMapper JSON = new ObjectMapper();

  private DeployedObjects() {}

  /**
   * The objects that Sluice made for a cluster, and those alone, in the order to apply them in: its
   * ConfigMaps, Services and Deployment.
   */
  static List<JsonNode> of(KubernetesClient client, String clusterId) {
    return Stream.of(
            client.configMaps().inNamespace(Deployments.NAMESPACE),
            client.services().inNamespace(Deployments.NAMESPACE),
            client.apps().deployments().inNamespace(Deployments.NAMESPACE))
        .flatMap(
            kind ->
                kind
                    .withLabel("app", clusterId)
                    .withLabel("app.kubernetes.io/managed-by", "sluice")
                    .list()
                    .getItems()
                    .stream())
        .map(object -> JSON.<JsonNode>valueToTree(object))
        .toList();
  }

  /** How many pods a cluster has, those that are ending counted too. */
  static int podCount(KubernetesClient client, String clusterId) {
    return client
        .pods()
        .inNamespace(Deployments.NAMESPACE)
        .withLabel("app", clusterId)
        .withLabel("type", "flink-native-kubernetes")
        .list()
        .getItems()
        .size();
  }

  /** Addresses of the pods of controller and worker. */
  static List<String> programs(KubernetesClient client) {
    return Deployments.addresses(
            client
                .pods()
                .inNamespace("sluice-system")
                .withLabel("app.kubernetes.io/part-of", "sluice")
                .list())
        .toList();
  }
}
