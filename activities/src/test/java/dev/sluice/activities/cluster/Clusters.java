package dev.sluice.activities.cluster;

import dev.sluice.api.deployment.FlinkDeployment;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;

/** Objects of a native cluster named {@code orders}, as small as the API server takes them. */
public final class Clusters {

  private static final Map<String, String> LABELS =
      Map.of("app", "orders", "type", "flink-native-kubernetes");

  private Clusters() {}

  /**
   * @param owner uid of a FlinkDeployment named {@code orders}; null for a Deployment of nobody
   */
  public static Deployment deployment(String namespace, String owner) {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName("orders")
        .withLabels(LABELS)
        .withOwnerReferences(owner == null ? List.of() : List.of(owner(owner)))
        .endMetadata()
        .withNewSpec()
        .withNewSelector()
        .withMatchLabels(LABELS)
        .endSelector()
        .withNewTemplate()
        .withNewMetadata()
        .withLabels(LABELS)
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName("flink-main-container")
        .withImage("flink:2.2")
        .endContainer()
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }

  /** What the garbage collector does once nothing that it owns is left; none runs here. */
  static void collect(KubernetesClient client, Deployment deployment) {
    Deployment unused =
        client
            .apps()
            .deployments()
            .inNamespace(deployment.getMetadata().getNamespace())
            .withName(deployment.getMetadata().getName())
            .edit(
                it ->
                    new DeploymentBuilder(it)
                        .editMetadata()
                        .withFinalizers()
                        .endMetadata()
                        .build());
  }

  /** A TaskManager that the Deployment with that uid owns. */
  static Pod taskManager(String namespace, String deploymentUid) {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName("orders-taskmanager-1-1")
        .withLabels(LABELS)
        .addToLabels("component", "taskmanager")
        .withOwnerReferences(
            new OwnerReference("apps/v1", true, true, "Deployment", "orders", deploymentUid))
        .endMetadata()
        .withNewSpec()
        .withTerminationGracePeriodSeconds(0L)
        .addNewContainer()
        .withName("flink-main-container")
        .withImage("flink:2.2")
        .endContainer()
        .endSpec()
        .build();
  }

  public static ConfigMap configMap(String namespace, String name, String owner) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName(name)
        .withLabels(LABELS)
        .withOwnerReferences(owner == null ? List.of() : List.of(owner(owner)))
        .endMetadata()
        .build();
  }

  private static OwnerReference owner(String uid) {
    return new OwnerReference(
        FlinkDeployment.API_VERSION, false, true, FlinkDeployment.KIND, "orders", uid);
  }
}
