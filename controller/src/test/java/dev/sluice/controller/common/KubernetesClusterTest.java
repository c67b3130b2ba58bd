package dev.sluice.controller.common;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class KubernetesClusterTest {

  private final KubernetesCluster cluster = new KubernetesCluster("5f3a");

  @Test
  void the_workers_of_a_cluster_poll_a_queue_of_its_own() {
    assertThat(cluster.taskQueue(null)).isEqualTo("sluice-5f3a");
  }

  @Test
  void a_configured_queue_is_the_whole_name() {
    assertThat(cluster.taskQueue("payments")).isEqualTo("payments");
  }

  @Test
  void a_reference_says_on_which_Kubernetes_cluster_the_resource_is() {
    FlinkDeployment resource = new FlinkDeployment();
    resource.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace("default")
            .withName("orders")
            .withUid("0a1b2c3d-0000")
            .build());

    ResourceRef ref = cluster.ref(resource);

    assertThat(ref.laneId()).isEqualTo("FlinkDeployment_default_orders_0a1b2c3d");
    assertThat(ref.uid()).isEqualTo("0a1b2c3d-0000");
    assertThat(ref.kubernetes()).isEqualTo("5f3a");
  }

  @Test
  void the_controller_may_read_the_namespace_whose_uid_it_is() throws IOException {
    String rights = Files.readString(Path.of("..", "deploy", "helm", "rendered", "laptop.yaml"));
    List<HasMetadata> objects = Serialization.unmarshal(rights);

    assertThat(objects)
        .filteredOn(ClusterRole.class::isInstance)
        .flatExtracting(role -> ((ClusterRole) role).getRules())
        .anySatisfy(
            rule -> {
              assertThat(rule.getResources()).containsExactly("namespaces");
              assertThat(rule.getResourceNames()).containsExactly("kube-system");
              assertThat(rule.getVerbs()).containsExactly("get");
            });
  }
}
