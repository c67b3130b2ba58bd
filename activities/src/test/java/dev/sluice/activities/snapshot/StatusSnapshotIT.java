package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.common.Checkpoint;
import dev.sluice.api.common.CheckpointInfo;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SavepointInfo;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.api.snapshot.SavepointFormatType;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.api.snapshot.TriggerType;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StatusLane;
import dev.sluice.workflows.snapshot.SnapshotActivities.ReportRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.Trigger;
import dev.sluice.workflows.snapshot.SnapshotRecord;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A snapshot without a FlinkStateSnapshot, in the status of a FlinkDeployment on a real API server.
 */
class StatusSnapshotIT extends StatusSnapshotScenario {

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

  @Test
  void nothingIsTakenOfWhatNobodyAsksFor() {
    assertThatThrownBy(
            () -> store.read(StatusLane.of(StatusLane.owner(lane), SnapshotType.CHECKPOINT)))
        .extracting(it -> ((ApplicationFailure) it).getType())
        .isEqualTo("ResourceGone");
  }
}
