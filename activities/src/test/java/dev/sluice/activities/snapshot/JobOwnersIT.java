package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.support.CountedRequests;
import dev.sluice.activities.support.Deployed;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ApiServer.Extension.class)
class JobOwnersIT {

  @Test
  void theResourceAndItsDeploymentAreReadOnceEach(ApiServer server) {
    CountedRequests requests = new CountedRequests();
    String namespace = server.namespace();
    server.client().resource(Deployed.orders(namespace)).create();
    try (KubernetesClient client = requests.client(server.config())) {
      JobOwners owners =
          new JobOwners(new ResourceStores(List.of(new FlinkDeploymentStore(client))));

      Optional<JobOwner> found = owners.of(named(namespace, "orders"));

      assertThat(found).isPresent();
      assertThat(requests.paths())
          .containsExactly(
              "GET /apis/flink.apache.org/v1beta1/namespaces/%s/flinkdeployments/orders"
                  .formatted(namespace),
              "GET /apis/apps/v1/namespaces/%s/deployments/orders".formatted(namespace));
      assertThat(owners.of(named(namespace, "missing"))).isEmpty();
    }
  }

  private static ResourceRef named(String namespace, String name) {
    return new ResourceRef("kubernetes", FlinkDeployment.KIND, namespace, name, "");
  }
}
