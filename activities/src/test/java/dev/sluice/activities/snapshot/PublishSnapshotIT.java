package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.WorkerClient;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.PublishActivities.PublishRequest;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The savepoint of an operation, on a real API server, with the rights of the manifest. */
@ExtendWith(ApiServer.Extension.class)
class PublishSnapshotIT {

  private static final Savepoint TAKEN =
      Savepoint.ofOperation(1_795_248_000_123L, "s3://b/savepoint-ab12cd-77", "NATIVE");

  private KubernetesClient client;
  private KubernetesClient worker;
  private PublishSnapshot publish;
  private String namespace;

  @BeforeEach
  void connect(ApiServer server) throws IOException {
    client = server.client();
    namespace = server.namespace();
    worker = WorkerClient.of(server);
    publish =
        new PublishSnapshot(
            worker,
            new ResourceStores(List.of(new FlinkDeploymentStore(worker))),
            Clock.systemUTC());
  }

  @AfterEach
  void close() {
    worker.close();
  }

  private ResourceRef orders(Map<String, String> keys) {
    FlinkDeployment orders = Deployed.orders(namespace);
    orders.setSpec(Deployed.SPEC.withConfiguration(Deployed.SPEC.configuration().withAll(keys)));
    return Deployed.ref(client.resource(orders).create());
  }

  private List<FlinkStateSnapshot> made() {
    return client.resources(FlinkStateSnapshot.class).inNamespace(namespace).list().getItems();
  }

  private List<String> reasons() {
    return client.v1().events().inNamespace(namespace).list().getItems().stream()
        .map(Event::getReason)
        .toList();
  }

  @Test
  void itIsMadeOnceHoweverOftenItIsAskedFor() {
    ResourceRef ref = orders(Map.of());

    publish.publish(new PublishRequest(ref, TAKEN));
    publish.publish(new PublishRequest(ref, TAKEN));

    assertThat(made())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.getMetadata().getName())
                  .matches("orders-savepoint-upgrade-[0-9a-f]{8}");
              assertThat(it.getSpec().savepoint().exists()).isTrue();
              assertThat(it.getSpec().savepoint().path()).isEqualTo(TAKEN.location());
            });
    assertThat(reasons()).isEmpty();
  }

  /** As the controller does it. */
  @Test
  void itsFirstStatusIsThatItIsCompleted() {
    publish.publish(new PublishRequest(orders(Map.of()), TAKEN));

    FlinkStateSnapshot written =
        new SnapshotStore(client, new ResourceStores(List.of())).begin(made().get(0));

    assertThat(written.getStatus().state()).isEqualTo(SnapshotState.COMPLETED);
    assertThat(written.getStatus().path()).isEqualTo(TAKEN.location());
    assertThat(written.getStatus().resultTimestamp())
        .isEqualTo(written.getMetadata().getCreationTimestamp());
  }

  @Test
  void oneOfItsNameThatSomebodyElseMadeIsLeftAloneAndReported() {
    ResourceRef ref = orders(Map.of());
    publish.publish(new PublishRequest(ref, TAKEN));
    FlinkStateSnapshot theirs = made().get(0);
    FlinkStateSnapshot unused =
        client
            .resource(theirs)
            .edit(
                it -> {
                  it.getMetadata().getLabels().remove("app.kubernetes.io/managed-by");
                  return it;
                });

    publish.publish(new PublishRequest(ref, TAKEN));

    assertThat(reasons()).containsExactly("SnapshotError");
  }

  @Test
  void whereSnapshotsAreSwitchedOffItIsInTheStatusOnce() {
    ResourceRef ref = orders(Map.of("kubernetes.operator.snapshot.resource.enabled", "false"));

    publish.publish(new PublishRequest(ref, TAKEN));
    publish.publish(new PublishRequest(ref, TAKEN));

    assertThat(made()).isEmpty();
    assertThat(
            client
                .resources(FlinkDeployment.class)
                .inNamespace(namespace)
                .withName("orders")
                .get()
                .getStatus()
                .savepointHistory())
        .containsExactly(TAKEN);
  }
}
