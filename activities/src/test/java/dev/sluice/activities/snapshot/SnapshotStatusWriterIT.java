package dev.sluice.activities.snapshot;

import static dev.sluice.activities.snapshot.StatusSnapshotScenario.NONE;
import static dev.sluice.activities.snapshot.StatusSnapshotScenario.completed;
import static dev.sluice.activities.snapshot.StatusSnapshotScenario.triggering;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.support.TestClock;
import dev.sluice.activities.support.WorkerClient;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotSpec;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.JobReference;
import dev.sluice.api.snapshot.SavepointSpec;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities.RunRef;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.snapshot.SnapshotActivities.RecordRequest;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The status of a snapshot on a real API server, with the rights of the committed manifest. */
@ExtendWith(ApiServer.Extension.class)
class SnapshotStatusWriterIT {

  private final TestClock clock = new TestClock();
  private KubernetesClient client;
  private KubernetesClient worker;
  private SnapshotStore store;
  private SnapshotStatusWriter writer;
  private ResourceRef ref;
  private String namespace;

  @BeforeEach
  void create(ApiServer server) throws IOException {
    client = server.client();
    namespace = server.namespace();
    worker = WorkerClient.of(server);
    store = new SnapshotStore(worker, new ResourceStores(List.of()));
    writer = new SnapshotStatusWriter(worker, store, clock);
    ref = ref(create("before-the-change"));
  }

  @AfterEach
  void close() {
    worker.close();
  }

  private FlinkStateSnapshot create(String name) {
    FlinkStateSnapshot snapshot = new FlinkStateSnapshot();
    snapshot.setMetadata(new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
    snapshot.setSpec(
        new FlinkStateSnapshotSpec(
            new JobReference(JobKind.FLINK_DEPLOYMENT, "orders"),
            new SavepointSpec(null, null, null, null),
            null,
            null));
    return client.resource(snapshot).create();
  }

  private static ResourceRef ref(FlinkStateSnapshot snapshot) {
    return new ResourceRef(
        "kubernetes",
        FlinkStateSnapshot.KIND,
        snapshot.getMetadata().getNamespace(),
        snapshot.getMetadata().getName(),
        snapshot.getMetadata().getUid());
  }

  private OperationReport report(String message, String event) {
    return new OperationReport(
        ref,
        new RunRef("Snapshot", ref.laneId(), "run-1"),
        OperationState.RUNNING,
        "TakeSnapshot",
        1,
        null,
        message,
        event,
        null,
        null);
  }

  private FlinkStateSnapshot read() {
    return store.read(ref).snapshot();
  }

  private void record(FlinkStateSnapshotStatus plannedFor, FlinkStateSnapshotStatus next) {
    writer.record(new RecordRequest(ref.uid(), plannedFor, next, report("attempt 1", null)));
  }

  @Test
  void whatIsRecordedIsReadBackAsItWas() {
    FlinkStateSnapshotStatus triggering = triggering(NONE);

    record(NONE, triggering);
    assertThat(read().getStatus().attempts()).isEqualTo(triggering);
    FlinkStateSnapshotStatus completed =
        completed(triggering, "s3://bucket/savepoint-1", 1_795_248_001_456L);
    record(triggering, completed);

    FlinkStateSnapshot now = read();
    assertThat(now.getStatus().attempts()).isEqualTo(completed);
    assertThat(now.getStatus().resultTimestamp()).isEqualTo("2026-11-21T08:00:01.456Z");
    assertThat(now.getStatus().operation().type()).isEqualTo(OperationType.SNAPSHOT);
    assertThat(now.getMetadata().getManagedFields())
        .filteredOn(entry -> "status".equals(entry.getSubresource()))
        .extracting(ManagedFieldsEntry::getManager)
        .containsExactly("sluice-workflow");
  }

  @Test
  void theSameAgainIsNotWritten() {
    record(NONE, triggering(NONE));
    String before = read().getMetadata().getResourceVersion();

    record(NONE, triggering(NONE));

    assertThat(read().getMetadata().getResourceVersion()).isEqualTo(before);
  }

  @Test
  void aRunThatWasResetDoesNotTurnTheStatusBack() {
    FlinkStateSnapshotStatus completed = completed(NONE, "s3://bucket/savepoint-1", 1L);
    record(NONE, completed);

    assertThatThrownBy(() -> record(NONE, triggering(NONE)))
        .isInstanceOf(ApplicationFailure.class)
        .extracting(it -> ((ApplicationFailure) it).getType())
        .isEqualTo("Outdated");
    assertThat(read().getStatus().state()).isEqualTo(SnapshotState.COMPLETED);
  }

  @Test
  void aReportChangesTheOperationAloneAndTellsItsEventOnce() {
    record(NONE, triggering(NONE));

    writer.report(report("failed", "SnapshotError"));
    writer.report(report("failed", "SnapshotError"));

    assertThat(read().getStatus().state()).isEqualTo(SnapshotState.IN_PROGRESS);
    assertThat(read().getStatus().operation().message()).isEqualTo("failed");
    assertThat(client.v1().events().inNamespace(namespace).list().getItems())
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.getReason()).isEqualTo("SnapshotError");
              assertThat(event.getType()).isEqualTo("Warning");
            });
  }

  @Test
  void anotherInstanceOfTheNameIsLeftAlone() {
    client.resource(read()).delete();
    FlinkStateSnapshot next = create("before-the-change");

    assertThatThrownBy(() -> record(NONE, triggering(NONE)))
        .isInstanceOf(ApplicationFailure.class)
        .extracting(it -> ((ApplicationFailure) it).getType())
        .isEqualTo("ResourceGone");
    assertThat(store.read(ref(next)).snapshot().getStatus().state()).isNull();
  }
}
