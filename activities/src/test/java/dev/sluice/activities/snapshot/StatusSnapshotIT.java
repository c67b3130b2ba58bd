package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.common.Checkpoint;
import dev.sluice.api.common.CheckpointInfo;
import dev.sluice.api.common.FailedRemoval;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SavepointInfo;
import dev.sluice.api.common.SnapshotTrigger;
import dev.sluice.api.common.SnapshotTriggers;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.api.snapshot.SavepointFormatType;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.api.snapshot.TriggerType;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.ResourceActivities.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities.RunRef;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StatusLane;
import dev.sluice.workflows.snapshot.SnapshotActivities.DisposedRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.RecordRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.ReportRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.Trigger;
import dev.sluice.workflows.snapshot.SnapshotRecord;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A snapshot without a FlinkStateSnapshot, in the status of a FlinkDeployment on a real API server.
 */
@ExtendWith(ApiServer.Extension.class)
class StatusSnapshotIT {

  private static final Path RIGHTS = Path.of("../deploy/operator/21-worker-rights.yaml");
  private static final String WORKER = "system:serviceaccount:sluice-system:sluice-worker";
  private static final String NAME = "orders-savepoint-manual-5-abcd1234";
  private static final long AT = 1_795_248_000_123L;
  private static final Trigger TRIGGER =
      new Trigger("00000000000000000000000000000001", "ab12cd34ab12cd34ab12cd34ab12cd34", AT);

  private KubernetesClient client;
  private KubernetesClient worker;
  private SnapshotStore store;
  private SnapshotStatusWriter writer;
  private ResourceRef lane;
  private String namespace;

  @BeforeEach
  void create(ApiServer server) throws IOException {
    client = server.client();
    namespace = server.namespace();
    client
        .resource(
            new NamespaceBuilder()
                .withNewMetadata()
                .withName("sluice-system")
                .endMetadata()
                .build())
        .serverSideApply();
    try (InputStream manifest = Files.newInputStream(RIGHTS)) {
      client.load(manifest).serverSideApply();
    }
    worker =
        new KubernetesClientBuilder()
            .withConfig(new ConfigBuilder(server.config()).withImpersonateUsername(WORKER).build())
            .build();
    store = new SnapshotStore(worker);
    writer = new SnapshotStatusWriter(worker, store, new TestClock());
    FlinkDeployment created = client.resource(Deployed.orders(namespace)).create();
    lane = StatusLane.of(Deployed.ref(created), SnapshotType.SAVEPOINT);
    asks(5, NAME, "NATIVE");
  }

  @AfterEach
  void close() {
    worker.close();
  }

  /** As the controller does it, when a nonce is answered. */
  private void asks(long nonce, String name, String format) {
    patch(
        FlinkDeploymentStatus.EMPTY.withSnapshotTriggers(
            new SnapshotTriggers(new SnapshotTrigger(nonce, name, format), null, null)));
  }

  private void patch(FlinkDeploymentStatus status) {
    patchAs("controller", status);
  }

  private void patchAs(String manager, FlinkDeploymentStatus status) {
    client
        .resource(resource())
        .subresource("status")
        .patch(
            new PatchContext.Builder()
                .withPatchType(PatchType.JSON_MERGE)
                .withFieldManager(manager)
                .build(),
            client.getKubernetesSerialization().asJson(Map.of("status", status)));
  }

  private FlinkDeployment resource() {
    return client.resources(FlinkDeployment.class).inNamespace(namespace).withName("orders").get();
  }

  private String uid() {
    return store.read(lane).getMetadata().getUid();
  }

  private void record(String uid, SnapshotRecord plannedFor, SnapshotRecord next) {
    writer.record(new RecordRequest(uid, plannedFor, next, report("attempt 1", null)));
  }

  private OperationReport report(String message, String event) {
    return new OperationReport(
        lane,
        new RunRef("Snapshot", lane.laneId(), "run-1"),
        OperationState.RUNNING,
        "TakeSnapshot",
        1,
        null,
        message,
        event,
        null);
  }

  @Test
  void whatANonceAsksForIsReadAsASnapshot() {
    FlinkStateSnapshot read = store.read(lane);

    assertThat(read.getMetadata().getName()).isEqualTo(NAME);
    assertThat(read.getSpec().savepoint().format()).isEqualTo(SavepointFormatType.NATIVE);
    assertThat(
            new JobOwners(new ResourceStores(List.of(new FlinkDeploymentStore(worker))))
                .of(lane, read))
        .isPresent();
  }

  @Test
  void itIsToldInTheFieldsOfApachesOperatorByOneWriterOfItsOwn() {
    String uid = uid();
    SnapshotRecord triggering = SnapshotRecord.NONE.triggering(TRIGGER);
    record(uid, SnapshotRecord.NONE, triggering);

    SavepointInfo pending = resource().getStatus().jobStatus().savepointInfo();
    assertThat(pending.triggerId()).isEqualTo(TRIGGER.id());
    assertThat(pending.triggerTimestamp()).isEqualTo(AT);
    assertThat(pending.triggerType()).isEqualTo("MANUAL");
    assertThat(pending.formatType()).isEqualTo("NATIVE");

    SnapshotRecord completed = triggering.completed("s3://savepoints/2", AT + 400, false);
    record(uid, triggering, completed);
    record(uid, triggering, completed); // the answer was lost

    Savepoint taken = new Savepoint(AT, "s3://savepoints/2", "MANUAL", "NATIVE", 5L);
    assertThat(resource().getStatus().jobStatus().savepointInfo())
        .isEqualTo(new SavepointInfo(taken, null, null, null, null, List.of(taken), 0));
    assertThat(resource().getStatus().snapshots().savepoint().name()).isEqualTo(NAME);
    assertThat(SnapshotStatus.record(store.read(lane).getStatus())).isEqualTo(completed);
    assertThat(resource().getMetadata().getManagedFields())
        .filteredOn(entry -> entry.getFieldsV1().toString().contains("savepointInfo"))
        .extracting(ManagedFieldsEntry::getManager)
        .containsExactly("sluice-snapshots");
  }

  @Test
  void theNextOneIsBegunOnceTheFirstHasEnded() {
    String first = uid();
    SnapshotRecord triggering = SnapshotRecord.NONE.triggering(TRIGGER);
    record(first, SnapshotRecord.NONE, triggering);
    asks(6, "orders-savepoint-manual-6-abcd1234", "CANONICAL");
    assertThat(uid()).isEqualTo(first);

    record(first, triggering, triggering.completed("s3://savepoints/2", AT, false));
    String second = uid();
    assertThat(second).isNotEqualTo(first);
    record(
        second, SnapshotRecord.NONE, SnapshotRecord.NONE.completed("s3://savepoints/3", AT, false));

    assertThat(resource().getStatus().jobStatus().savepointInfo().savepointHistory())
        .extracting(Savepoint::location)
        .containsExactly("s3://savepoints/2", "s3://savepoints/3");
    assertThatThrownBy(() -> record(first, SnapshotRecord.NONE, triggering))
        .as("a run that was reset")
        .extracting(it -> ((ApplicationFailure) it).getType())
        .isEqualTo("Outdated");
    assertThat(store.read(lane).getStatus().state()).isEqualTo(SnapshotState.COMPLETED);
  }

  @Test
  void aReportTellsItsEventOnTheFlinkDeployment() {
    record(uid(), SnapshotRecord.NONE, SnapshotRecord.NONE.triggering(TRIGGER));

    writer.report(new ReportRequest(uid(), report("failed", "SnapshotError")));
    writer.report(new ReportRequest(uid(), report("failed", "SnapshotError")));

    assertThat(resource().getStatus().operation()).as("that of the job's own lane").isNull();
    assertThat(resource().getStatus().snapshots().savepoint().status().operation().message())
        .isEqualTo("failed");
    assertThat(client.v1().events().inNamespace(namespace).list().getItems())
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.getInvolvedObject().getKind()).isEqualTo("FlinkDeployment");
              assertThat(event.getInvolvedObject().getUid()).isEqualTo(lane.uid());
              assertThat(event.getMessage()).isEqualTo("savepoint " + NAME + ": failed");
            });
  }

  @Test
  void anEvidenceLooksAtThoseWithoutAResourceToo() {
    String uid = uid();
    record(uid, SnapshotRecord.NONE, SnapshotRecord.NONE.triggering(TRIGGER));

    assertThat(store.others(namespace, "another"))
        .extracting(it -> it.getMetadata().getName())
        .containsExactly(NAME);
    assertThat(store.others(namespace, uid)).isEmpty();
  }

  /** FLINK-39439: Apache's operator forgets it first, and disposes of it then. */
  @Test
  void flink39439WhatTheHistoryHasNoPlaceForIsForgottenOnceItIsDisposedOf() {
    String uid = uid();
    for (int i = 2; i <= 3; i++) {
      record(uid, SnapshotRecord.NONE, SnapshotRecord.NONE.completed("s3://" + i, AT, false));
      asks(i + 5, "orders-savepoint-manual-" + i, "NATIVE");
      uid = uid();
    }
    patch(
        FlinkDeploymentStatus.EMPTY.withSnapshotTriggers(
            new SnapshotTriggers(null, null, null, "s3://2")));
    asks(7, "orders-savepoint-manual-2", "NATIVE"); // the newest that was begun

    FlinkStateSnapshot read = store.toDispose(lane);
    assertThat(read.getMetadata().getDeletionTimestamp()).isNotNull();
    assertThat(read.getStatus().path()).isEqualTo("s3://2");
    assertThat(read.getSpec().isDisposedWithResource()).isTrue();

    writer.report(new ReportRequest(null, deletion(null)));
    assertThat(locations()).containsExactly("s3://2", "s3://3");
    String first = read.getMetadata().getUid();
    writer.disposed(new DisposedRequest(first, null, deletion("SnapshotRemoved")));
    // when the answer was lost, and another one goes next
    patch(
        FlinkDeploymentStatus.EMPTY.withSnapshotTriggers(
            new SnapshotTriggers(null, null, null, "s3://3")));
    writer.disposed(new DisposedRequest(first, null, deletion("SnapshotRemoved")));

    assertThat(locations()).containsExactly("s3://3");
    assertThat(resource().getStatus().snapshots().savepoint().status().path()).isEqualTo("s3://3");
    assertThat(client.v1().events().inNamespace(namespace).list().getItems())
        .singleElement()
        .satisfies(event -> assertThat(event.getReason()).isEqualTo("SnapshotRemoved"));
  }

  /** FLINK-39439: its files would stay, and nothing would know of them. */
  @Test
  void flink39439WhatCouldNotBeDeletedStaysInTheHistory() {
    record(uid(), SnapshotRecord.NONE, SnapshotRecord.NONE.completed("s3://2", AT, false));
    patch(
        FlinkDeploymentStatus.EMPTY.withSnapshotTriggers(
            new SnapshotTriggers(null, null, null, "s3://2")));
    String id = store.toDispose(lane).getMetadata().getUid();

    writer.disposed(new DisposedRequest(id, AT, deletion("SnapshotError")));
    writer.disposed(new DisposedRequest(id, AT, deletion("SnapshotError"))); // the answer was lost

    assertThat(locations()).containsExactly("s3://2");
    FailedRemoval once = new FailedRemoval("s3://2", 1, Instant.ofEpochMilli(AT).toString());
    assertThat(resource().getStatus().snapshots().failedRemoval("s3://2")).hasValue(once);

    writer.disposed(new DisposedRequest(id, AT + 1, deletion("SnapshotError")));
    assertThat(resource().getStatus().snapshots().failedRemovals())
        .containsExactly(new FailedRemoval("s3://2", 2, Instant.ofEpochMilli(AT + 1).toString()));

    writer.disposed(new DisposedRequest(id, null, deletion("SnapshotRemoved")));
    assertThat(locations()).isEmpty();
    assertThat(resource().getStatus().snapshots().failedRemovals()).isEmpty();
    assertThat(resource().getStatus().snapshots().savepoint().name()).isEqualTo(NAME);
  }

  @Test
  void aReportOnOneThatIsNotBegunLeavesTheStatusOfTheOneBefore() {
    record(uid(), SnapshotRecord.NONE, SnapshotRecord.NONE.completed("s3://2", AT, false));
    asks(6, "orders-savepoint-manual-6", "NATIVE");

    writer.report(new ReportRequest(uid(), report("connection reset", "SnapshotError")));
    writer.report(new ReportRequest(null, report("no route", "SnapshotError")));

    assertThat(resource().getStatus().snapshots().savepoint().status().operation().message())
        .isEqualTo("attempt 1");
    assertThat(client.v1().events().inNamespace(namespace).list().getItems())
        .extracting(Event::getMessage)
        .containsExactlyInAnyOrder(
            "savepoint orders-savepoint-manual-6: connection reset", "savepoint: no route");
  }

  /** What Apache's operator wrote would be said of a savepoint that no nonce asked for. */
  @Test
  void whatAnotherManagerSaidOfAnEarlierOneIsNotSaidOfTheNext() {
    record(uid(), SnapshotRecord.NONE, SnapshotRecord.NONE.completed("s3://1", AT, false));
    Savepoint first = new Savepoint(7, "s3://0", "MANUAL", "NATIVE", 99L);
    SavepointInfo foreign =
        new SavepointInfo(
            first, "00000000000000000000000000000009", 8L, "MANUAL", "NATIVE", List.of(first), 0);
    CheckpointInfo checkpoints =
        new CheckpointInfo(new Checkpoint(7, "MANUAL", "FULL", 98L), null, null, null, null, 0);
    patchAs(
        "other",
        FlinkDeploymentStatus.EMPTY.withJobStatus(
            JobStatus.EMPTY.withSavepointInfo(foreign).withCheckpointInfo(checkpoints)));
    PeriodicInStatus periodic = new PeriodicInStatus(store, new TestClock());
    FlinkStateSnapshot due = periodic("20261121100005");
    assertThat(periodic.make(StatusLane.owner(lane), SnapshotType.SAVEPOINT, due)).isEmpty();

    record(
        uid(),
        SnapshotRecord.NONE,
        SnapshotRecord.NONE.triggering(TRIGGER).completed("s3://2", AT, false));

    Savepoint second = new Savepoint(AT, "s3://2", "PERIODIC", due.getSpec().formatType(), null);
    assertThat(resource().getStatus().jobStatus().savepointInfo())
        .isEqualTo(new SavepointInfo(second, null, null, null, null, List.of(first, second), AT));
    assertThat(resource().getStatus().jobStatus().checkpointInfo()).isEqualTo(checkpoints);
  }

  /** Else what it takes could be adopted as what the next one has taken. */
  @Test
  void oneThatWasGivenUpInDoubtIsKnownUntilTheNextHasEnded() {
    String first = uid();
    SnapshotRecord triggering = SnapshotRecord.NONE.triggering(TRIGGER);
    record(first, SnapshotRecord.NONE, triggering);
    record(first, triggering, triggering.givenUp(SnapshotState.ABANDONED, "enough", AT + 1, true));
    asks(6, "orders-savepoint-manual-6", "NATIVE");

    assertThat(store.now(lane).earlierTriggerId()).isEqualTo(TRIGGER.id());
    Trigger second = new Trigger("00000000000000000000000000000002", TRIGGER.jobId(), AT + 2);
    record(uid(), SnapshotRecord.NONE, SnapshotRecord.NONE.triggering(second));

    assertThat(store.now(lane).earlierTriggerId()).isEqualTo(TRIGGER.id());
    assertThat(store.others(namespace, uid()))
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.getMetadata().getUid()).isEqualTo(first);
              assertThat(it.getStatus().state()).isEqualTo(SnapshotState.ABANDONED);
              assertThat(it.getStatus().jobId()).isEqualTo(TRIGGER.jobId());
            });
  }

  @Test
  void whatIsRemovedIsNoneOfTheRunThatTakesAnother() {
    record(uid(), SnapshotRecord.NONE, SnapshotRecord.NONE.completed("s3://2", AT, false));
    patch(
        FlinkDeploymentStatus.EMPTY.withSnapshotTriggers(
            new SnapshotTriggers(null, null, null, "s3://2")));
    asks(6, "orders-savepoint-manual-6", "NATIVE");

    assertThat(store.read(lane).getMetadata().getName()).isEqualTo("orders-savepoint-manual-6");
    assertThat(store.toDispose(lane).getStatus().path()).isEqualTo("s3://2");
    writer.report(new ReportRequest(null, deletion("Blocked")));
    assertThat(locations()).containsExactly("s3://2");
  }

  @Test
  void aPeriodicOneIsNotAskedForAgainOnceANonceHasFollowedIt() {
    PeriodicInStatus periodic = new PeriodicInStatus(store, new TestClock());
    ResourceRef owner = StatusLane.owner(lane);
    FlinkStateSnapshot due = periodic("20261121100005");
    assertThat(periodic.make(owner, SnapshotType.SAVEPOINT, due)).contains(NAME);
    record(uid(), SnapshotRecord.NONE, SnapshotRecord.NONE.completed("s3://1", AT, false));
    assertThat(periodic.make(owner, SnapshotType.SAVEPOINT, due)).isEmpty();
    record(uid(), SnapshotRecord.NONE, SnapshotRecord.NONE.completed("s3://2", AT, false));
    asks(6, "orders-savepoint-manual-6", "NATIVE");
    record(uid(), SnapshotRecord.NONE, SnapshotRecord.NONE.completed("s3://3", AT, false));

    // when the answer was lost
    assertThat(periodic.begun(owner, SnapshotType.SAVEPOINT))
        .hasValueSatisfying(it -> assertThat(PeriodicInStatus.isMade(it, due)).isTrue());
    assertThat(periodic.make(owner, SnapshotType.SAVEPOINT, due)).isEmpty();
    assertThat(resource().getStatus().snapshots().savepoint().name())
        .isEqualTo("orders-savepoint-manual-6");
    assertThat(locations()).containsExactly("s3://1", "s3://2", "s3://3");
  }

  private FlinkStateSnapshot periodic(String time) {
    return RequestedSnapshot.of(
        SnapshotType.SAVEPOINT,
        TriggerType.PERIODIC,
        JobKind.FLINK_DEPLOYMENT,
        resource().getMetadata(),
        time,
        FlinkConfiguration.empty());
  }

  private List<String> locations() {
    return resource().getStatus().savepointHistory().stream().map(Savepoint::location).toList();
  }

  private OperationReport deletion(String event) {
    return new OperationReport(
        lane,
        new RunRef("Delete", lane.laneId(), "run-2"),
        event == null ? OperationState.RUNNING : OperationState.SUCCEEDED,
        "DisposeSavepoint",
        1,
        null,
        "gone",
        event,
        null);
  }

  @Test
  void nothingIsTakenOfWhatNobodyAsksFor() {
    assertThatThrownBy(
            () -> store.read(StatusLane.of(StatusLane.owner(lane), SnapshotType.CHECKPOINT)))
        .extracting(it -> ((ApplicationFailure) it).getType())
        .isEqualTo("ResourceGone");
  }
}
