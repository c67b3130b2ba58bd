package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.support.CountedRequests;
import dev.sluice.activities.support.Deployed;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotSpec;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.JobReference;
import dev.sluice.api.snapshot.SnapshotLabels;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ApiServer.Extension.class)
class SnapshotJobIT {

  @Test
  void theResourceAndItsDeploymentAreReadOnceEach(ApiServer server) {
    CountedRequests requests = new CountedRequests();
    String namespace = server.namespace();
    server.client().resource(Deployed.orders(namespace)).create();
    try (KubernetesClient client = requests.client(server.config())) {
      ResourceStores owners = new ResourceStores(List.of(new FlinkDeploymentStore(client)));

      Optional<SnapshotJob> found = of(owners, namespace, "orders", null);

      assertThat(found).isPresent();
      assertThat(requests.paths())
          .containsExactly(
              "GET /apis/flink.apache.org/v1beta1/namespaces/%s/flinkdeployments/orders"
                  .formatted(namespace),
              "GET /apis/apps/v1/namespaces/%s/deployments/orders".formatted(namespace));
      assertThat(of(owners, namespace, "missing", null)).isEmpty();
      assertThat(of(owners, namespace, "orders", "uid of an earlier one")).isEmpty();
      assertThat(
              SnapshotJob.byName(
                  owners, ref(namespace), snapshot("orders", "uid of an earlier one")))
          .as("its Flink can delete the files")
          .isPresent();
    }
  }

  private static Optional<SnapshotJob> of(
      ResourceStores owners, String namespace, String name, String uid) {
    return SnapshotJob.of(owners, ref(namespace), snapshot(name, uid));
  }

  private static ResourceRef ref(String namespace) {
    return new ResourceRef("kubernetes", FlinkStateSnapshot.KIND, namespace, "one", "uid");
  }

  private static FlinkStateSnapshot snapshot(String name, String uid) {
    FlinkStateSnapshot snapshot = new FlinkStateSnapshot();
    snapshot.setMetadata(
        new ObjectMetaBuilder()
            .withLabels(uid == null ? Map.of() : Map.of(SnapshotLabels.REFERENCE_UID, uid))
            .build());
    snapshot.setSpec(
        new FlinkStateSnapshotSpec(
            new JobReference(JobKind.FLINK_DEPLOYMENT, name), null, null, null));
    return snapshot;
  }
}
