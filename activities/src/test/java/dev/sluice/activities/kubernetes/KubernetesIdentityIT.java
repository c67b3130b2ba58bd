package dev.sluice.activities.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testing.ApiServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ApiServer.Extension.class)
class KubernetesIdentityIT {

  @Test
  void aClusterIsKnownByTheUidOfKubeSystem(ApiServer server) {
    KubernetesIdentity identity = new KubernetesIdentity(server.client());

    assertThat(identity.read())
        .isEqualTo(
            server.client().namespaces().withName("kube-system").get().getMetadata().getUid());
  }

  @Test
  void anApiServerThatIsAwayIsToldToTheCaller() {
    Config away =
        new ConfigBuilder(Config.empty())
            .withMasterUrl("http://127.0.0.1:1")
            .withRequestRetryBackoffLimit(0)
            .build();
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(away).build()) {
      KubernetesIdentity identity = new KubernetesIdentity(client);

      assertThatThrownBy(identity::read).isInstanceOf(KubernetesClientException.class);
    }
  }
}
