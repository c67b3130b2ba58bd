package dev.sluice.local.demo;

import dev.sluice.local.cluster.ClusterConfig;
import dev.sluice.local.cluster.ClusterException;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads FlinkDeployments and the addresses of their clusters, as the administrator. */
public final class Deployments implements AutoCloseable {
  public static final String NAMESPACE = "default";

  /** The resource, for a client that does not have its classes. */
  public static final ResourceDefinitionContext KIND =
      new ResourceDefinitionContext.Builder()
          .withGroup("flink.apache.org")
          .withVersion("v1beta1")
          .withKind("FlinkDeployment")
          .withPlural("flinkdeployments")
          .withNamespaced(true)
          .build();

  private final KubernetesClient client;

  public Deployments(ClusterConfig config) {
    Config settings = Config.fromKubeconfig(config.kubeconfig().toFile());
    this.client = new KubernetesClientBuilder().withConfig(settings).build();
  }

  /** For other objects of the same cluster; closed with this. */
  public KubernetesClient client() {
    return client;
  }

  public Optional<DeploymentView> find(String name) {
    var resources = client.genericKubernetesResources(KIND).inNamespace(NAMESPACE);
    return Optional.ofNullable(resources.withName(name).get())
        .map(resource -> new DeploymentView(Serialization.jsonMapper().valueToTree(resource)));
  }

  public DeploymentView get(String name) {
    return find(name)
        .orElseThrow(() -> new ClusterException("FlinkDeployment " + name + " is gone"));
  }

  /**
   * Flink's REST address of a cluster: that of its JobManager's pod, for a loopback address needs
   * no Service.
   *
   * @param clusterId the value of its label {@code app}
   * @return empty while it has no such pod with an address
   */
  public Optional<String> rest(String clusterId) {
    return addresses(
            client
                .pods()
                .inNamespace(NAMESPACE)
                .withLabel("app", clusterId)
                .withLabel("component", "jobmanager")
                .list())
        .map(ip -> "http://" + ip + ":8081")
        .findFirst();
  }

  /** Addresses of those pods that have one and are not ending. */
  public static Stream<String> addresses(PodList pods) {
    return pods.getItems().stream()
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .map(pod -> pod.getStatus().getPodIP())
        .filter(ip -> ip != null && !ip.isEmpty());
  }

  @Override
  public void close() {
    client.close();
  }
}
