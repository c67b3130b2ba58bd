package dev.sluice.controller.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testing.ApiServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ApiServer.Extension.class)
class KubernetesClusterIT {

  @Test
  void a_cluster_is_known_by_the_uid_of_kube_system(ApiServer server) {
    String uid = server.client().namespaces().withName("kube-system").get().getMetadata().getUid();

    assertThat(KubernetesCluster.of(server.client()).uid()).isEqualTo(uid).isNotBlank();
  }

  @Test
  void without_the_right_to_read_it_nothing_starts_and_what_is_missing_is_said(ApiServer server) {
    Config nobody = server.config();
    nobody.setImpersonateUsername("nobody");
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(nobody).build()) {
      assertThatThrownBy(() -> KubernetesCluster.of(client))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("kube-system")
          .hasMessageContaining("verb get");
    }
  }
}
