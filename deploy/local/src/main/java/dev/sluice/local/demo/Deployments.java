package dev.sluice.local.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.local.cluster.ClusterConfig;
import dev.sluice.local.cluster.ClusterException;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Reads FlinkDeployments and the addresses of their clusters, as the administrator. */
public final class Deployments implements AutoCloseable {

  /** Where the examples are. */
  public static final String NAMESPACE = "default";

  private static final String PATH =
      "/apis/flink.apache.org/v1beta1/namespaces/" + NAMESPACE + "/flinkdeployments/";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final KubernetesClient client;

  private Deployments(KubernetesClient client) {
    this.client = client;
  }

  /** Of a cluster that is up. */
  public static Deployments of(ClusterConfig config) {
    Config settings = Config.fromKubeconfig(config.kubeconfig().toFile());
    return new Deployments(new KubernetesClientBuilder().withConfig(settings).build());
  }

  /** One of them; empty when there is none of that name. */
  public Optional<DeploymentView> find(String name) {
    return asked(() -> raw(name)).map(Deployments::view);
  }

  /** The same, and it must be there. */
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
    return asked(
        () ->
            pods(clusterId).stream()
                .filter(pod -> "jobmanager".equals(label(pod, "component")))
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .map(pod -> pod.getStatus().getPodIP())
                .filter(ip -> ip != null && !ip.isEmpty())
                .map(ip -> "http://" + ip + ":8081")
                .findFirst());
  }

  /** How many pods a cluster has, those that are ending counted too. */
  public int podCount(String clusterId) {
    return asked(() -> pods(clusterId).size());
  }

  /**
   * The objects that Sluice made for a cluster, and those alone, in the order to apply them in: its
   * ConfigMaps, Services and Deployment.
   */
  public List<JsonNode> objects(String clusterId) {
    return asked(
        () ->
            Stream.of(
                    client.configMaps().inNamespace(NAMESPACE),
                    client.services().inNamespace(NAMESPACE),
                    client.apps().deployments().inNamespace(NAMESPACE))
                .flatMap(
                    kind ->
                        kind
                            .withLabel("app", clusterId)
                            .withLabel("app.kubernetes.io/managed-by", "sluice")
                            .list()
                            .getItems()
                            .stream())
                .map(object -> JSON.<JsonNode>valueToTree(object))
                .toList());
  }

  /** Addresses of the pods of controller and worker that are ready. */
  public List<String> programs() {
    return asked(
        () ->
            client
                .pods()
                .inNamespace("sluice-system")
                .withLabel("app.kubernetes.io/part-of", "sluice")
                .list()
                .getItems()
                .stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .map(pod -> pod.getStatus().getPodIP())
                .filter(ip -> ip != null && !ip.isEmpty())
                .toList());
  }

  @Override
  public void close() {
    client.close();
  }

  private List<Pod> pods(String clusterId) {
    return client
        .pods()
        .inNamespace(NAMESPACE)
        .withLabel("app", clusterId)
        .withLabel("type", "flink-native-kubernetes")
        .list()
        .getItems();
  }

  private Optional<String> raw(String name) {
    try {
      return Optional.ofNullable(client.raw(PATH + name));
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static DeploymentView view(String json) {
    try {
      return new DeploymentView(JSON.readTree(json));
    } catch (JsonProcessingException e) {
      throw new ClusterException("the API server gave no JSON: " + e.getOriginalMessage(), e);
    }
  }

  private static String label(Pod pod, String key) {
    return pod.getMetadata().getLabels().getOrDefault(key, "");
  }

  private static <T> T asked(Supplier<T> question) {
    try {
      return question.get();
    } catch (KubernetesClientException e) {
      throw new ClusterException(
          "the API server does not answer (see './sluice status'): " + e.getMessage(), e);
    }
  }
}
