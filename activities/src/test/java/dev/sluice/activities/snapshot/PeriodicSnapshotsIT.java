package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.WorkerClient;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.SavepointFormatType;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.snapshot.PeriodicSnapshotActivities.CreateRequest;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a schedule starts, on a real API server, with the rights of the committed manifest. */
@ExtendWith(ApiServer.Extension.class)
class PeriodicSnapshotsIT {

  private static final String INTERVAL = "kubernetes.operator.periodic.savepoint.interval";
  private static final String ENABLED = "kubernetes.operator.snapshot.resource.enabled";
  private static final Instant DUE = Instant.parse("2026-11-21T10:00:05Z");
  private static final String NAME = "orders-savepoint-periodic-20261121100005";

  private final FakeFlink flink = new FakeFlink().running();
  private final List<String> ended = new ArrayList<>();
  private KubernetesClient client;
  private KubernetesClient worker;
  private ResourceStores stores;
  private PeriodicSnapshots snapshots;
  private FlinkDeploymentSpec spec =
      Deployed.SPEC.withConfiguration(
          Deployed.SPEC
              .configuration()
              .withAll(
                  Map.of(INTERVAL, "1 h", "kubernetes.operator.savepoint.format.type", "NATIVE")));
  private ReconciliationState reconciliation = ReconciliationState.DEPLOYED;
  private OperationStatus operation;
  private String namespace;

  @BeforeEach
  void connect(ApiServer server) throws IOException {
    client = server.client();
    namespace = server.namespace();
    worker = WorkerClient.of(server);
    stores = new ResourceStores(List.of(new FlinkDeploymentStore(worker)));
    snapshots = new PeriodicSnapshots(worker, stores, flink, ended::add);
  }

  @AfterEach
  void close() {
    worker.close();
  }

  /** The resource, deployed as its fields say. */
  private ResourceRef deployed() {
    FlinkDeployment resource = Deployed.orders(namespace);
    resource.setSpec(spec);
    FlinkDeployment created = client.resource(resource).create();
    String frozen = new FrozenSpec(spec, 1, false).toJson();
    FlinkDeploymentStatus status =
        FlinkDeploymentStatus.EMPTY
            .withReconciliationStatus(new ReconciliationStatus(1L, frozen, frozen, reconciliation))
            .withOperation(operation);
    client
        .resource(created)
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            client.getKubernetesSerialization().asJson(Map.of("status", status)));
    return Deployed.ref(created);
  }

  private String create(ResourceRef ref) {
    return create(ref, 0);
  }

  private String create(ResourceRef ref, int later) {
    long due = DUE.plusSeconds(later).toEpochMilli();
    return snapshots.create(new CreateRequest(ref, SnapshotType.SAVEPOINT, due, "schedule-1"));
  }

  private List<FlinkStateSnapshot> made() {
    return client.resources(FlinkStateSnapshot.class).inNamespace(namespace).list().getItems();
  }

  @Test
  void theSnapshotOfATimeIsMadeOnceHoweverOftenItIsAskedFor() {
    ResourceRef ref = deployed();

    assertThat(create(ref)).isEqualTo("made " + NAME);
    assertThat(create(ref)).isEqualTo("made " + NAME);

    assertThat(made()).hasSize(1);
    FlinkStateSnapshot snapshot = made().get(0);
    assertThat(snapshot.getMetadata().getLabels())
        .containsEntry("snapshot.trigger-type", "PERIODIC")
        .containsEntry("job-reference.name", "orders")
        .containsEntry("sluice.dev/job-reference-uid", ref.uid())
        .containsEntry("app.kubernetes.io/managed-by", "sluice");
    assertThat(snapshot.getSpec().savepoint().formatType()).isEqualTo(SavepointFormatType.NATIVE);
    assertThat(ended).isEmpty();
  }

  @Test
  void thatOneCannotBeMadeIsToldOnceForEachTime() {
    ResourceRef ref = deployed();
    try (KubernetesClient powerless =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(worker.getConfiguration())
                    .withImpersonateUsername("system:serviceaccount:default:nobody")
                    .build())
            .build()) {
      PeriodicSnapshots refused =
          new PeriodicSnapshots(powerless, stores, flink, ended::add, worker);
      for (int attempt = 1; attempt <= 3; attempt++) {
        Instant due = attempt == 3 ? DUE.plusSeconds(60) : DUE;
        assertThatThrownBy(
                () ->
                    refused.create(
                        new CreateRequest(
                            ref, SnapshotType.SAVEPOINT, due.toEpochMilli(), "schedule-1")))
            .hasMessageContaining("forbidden");
      }
    }

    assertThat(client.v1().events().inNamespace(namespace).list().getItems())
        .hasSize(2)
        .allSatisfy(
            event -> {
              assertThat(event.getType()).isEqualTo("Warning");
              assertThat(event.getReason()).isEqualTo("SnapshotError");
              assertThat(event.getInvolvedObject().getUid()).isEqualTo(ref.uid());
            })
        .anySatisfy(
            event ->
                assertThat(event.getMessage())
                    .startsWith("The periodic savepoint of 2026-11-21T10:00:05Z cannot be made: ")
                    .contains("forbidden"));
    assertThat(ended).isEmpty();
  }

  @Test
  void itIsSkippedWhileTheOneBeforeIsBeingTaken() {
    ResourceRef ref = deployed();
    create(ref);

    assertThat(create(ref, 5)).isEqualTo("skipped: " + NAME + " is still being taken");
    assertThat(made()).hasSize(1);
  }

  @Test
  void itIsSkippedWhileTheJobIsNotUpOrNotKnownToBe() {
    ResourceRef ref = deployed();
    flink.job(FlinkJobState.RESTARTING, 0);
    assertThat(create(ref)).startsWith("skipped: job ").contains("RESTARTING");

    flink.up(false);
    assertThat(create(ref)).isEqualTo("skipped: the JobManager does not answer");
    assertThat(made()).isEmpty();
  }

  @Test
  void itIsSkippedWhileAnOperationIsAtWork() {
    reconciliation = ReconciliationState.UPGRADING;
    operation =
        OperationStatus.EMPTY.withType(OperationType.UPGRADE).withState(OperationState.RUNNING);

    ResourceRef ref = deployed();
    assertThat(create(ref)).startsWith("skipped: Upgrade is at work on");
    assertThat(made()).isEmpty();
    assertThat(ended).isEmpty();
  }

  @Test
  void aScheduleThatNobodyAsksForAnyMoreIsEnded() {
    spec = Deployed.SPEC;

    assertThat(create(deployed())).startsWith("ended: ");
    assertThat(made()).isEmpty();
    assertThat(ended).containsExactly("schedule-1");
  }

  @Test
  void aScheduleIsEndedWhenItsKeyWasRemovedWithoutAnOperation() {
    ResourceRef ref = deployed();
    merge("{\"spec\":{\"flinkConfiguration\":{\"%s\":null}}}".formatted(INTERVAL));

    assertThat(create(ref)).startsWith("ended: ");
    assertThat(made()).isEmpty();
    assertThat(ended).containsExactly("schedule-1");
  }

  @Test
  void whatIsDeployedCountsWhileTheNewestSpecIsInvalid() {
    ResourceRef ref = deployed();
    merge(
        ("{\"spec\":{\"flinkConfiguration\":"
                + "{\"%s\":null,\"kubernetes.operator.savepoint.history.max.count\":\"few\"}}}")
            .formatted(INTERVAL));

    assertThat(create(ref)).isEqualTo("made " + NAME);
    assertThat(made().get(0).getSpec().savepoint().formatType())
        .isEqualTo(SavepointFormatType.NATIVE);
  }

  @Test
  void whatIsStillBeingTakenOfAnEarlierResourceOfTheNameHoldsNothingUp() {
    ResourceRef ref = deployed();
    create(ref);
    relabel(NAME, "sluice.dev/job-reference-uid", "earlier-uid");

    assertThat(create(ref, 5)).startsWith("made ");
  }

  private void merge(String patch) {
    client
        .resources(FlinkDeployment.class)
        .inNamespace(namespace)
        .withName("orders")
        .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
  }

  private void relabel(String snapshot, String label, String value) {
    client
        .resources(FlinkStateSnapshot.class)
        .inNamespace(namespace)
        .withName(snapshot)
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"metadata\":{\"labels\":{\"%s\":\"%s\"}}}".formatted(label, value));
  }

  @Test
  void theScheduleOfAResourceThatIsGoneIsEnded() {
    ResourceRef ref = deployed();
    ResourceRef earlier =
        new ResourceRef(ref.kubernetes(), ref.kind(), ref.namespace(), ref.name(), "earlier-uid");

    assertThat(create(earlier)).startsWith("ended: ");
    assertThat(made()).isEmpty();
    assertThat(ended).containsExactly("schedule-1");
  }
}
