package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.support.CountedRequests;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.common.Checkpoint;
import dev.sluice.api.common.CheckpointInfo;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SavepointInfo;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.api.snapshot.SavepointFormatType;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.api.snapshot.TriggerType;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StatusLane;
import dev.sluice.workflows.snapshot.SnapshotActivities.ReportRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.Trigger;
import dev.sluice.workflows.snapshot.SnapshotRecord;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A snapshot without a FlinkStateSnapshot, in the status of what runs the job. */
class StatusSnapshotIT extends StatusSnapshotScenario {

  @Test
  void whatANonceAsksForIsReadAsASnapshot() {
    FlinkStateSnapshot read = store.read(lane);

    assertThat(read.getMetadata().getName()).isEqualTo(NAME);
    assertThat(read.getSpec().savepoint().format()).isEqualTo(SavepointFormatType.NATIVE);
    assertThat(new JobOwners(stores).of(lane, read)).isPresent();
  }

  @Test
  void itIsToldInTheFieldsOfApachesOperatorByOneWriterOfItsOwn() {
    String uid = uid();
    SnapshotRecord triggering = SnapshotRecord.NONE.triggering(TRIGGER);
    record(uid, SnapshotRecord.NONE, triggering);

    SavepointInfo pending = status().jobStatus().savepointInfo();
    assertThat(pending.triggerId()).isEqualTo(TRIGGER.id());
    assertThat(pending.triggerTimestamp()).isEqualTo(AT);
    assertThat(pending.triggerType()).isEqualTo("MANUAL");
    assertThat(pending.formatType()).isEqualTo("NATIVE");

    SnapshotRecord completed = triggering.completed("s3://savepoints/2", AT + 400);
    record(uid, triggering, completed);
    record(uid, triggering, completed); // the answer was lost

    Savepoint taken = new Savepoint(AT, "s3://savepoints/2", "MANUAL", "NATIVE", 5L);
    assertThat(status().jobStatus().savepointInfo())
        .isEqualTo(new SavepointInfo(taken, null, null, null, null, List.of(taken), 0));
    assertThat(status().snapshots().savepoint().name()).isEqualTo(NAME);
    assertThat(SnapshotStatus.record(store.read(lane).getStatus())).isEqualTo(completed);
    assertThat(resource().metadata().getManagedFields())
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

    record(first, triggering, triggering.completed("s3://savepoints/2", AT));
    String second = uid();
    assertThat(second).isNotEqualTo(first);
    record(second, SnapshotRecord.NONE, SnapshotRecord.NONE.completed("s3://savepoints/3", AT));

    assertThat(status().jobStatus().savepointInfo().savepointHistory())
        .extracting(Savepoint::location)
        .containsExactly("s3://savepoints/2", "s3://savepoints/3");
    assertThatThrownBy(() -> record(first, SnapshotRecord.NONE, triggering))
        .as("a run that was reset")
        .extracting(it -> ((ApplicationFailure) it).getType())
        .isEqualTo("Outdated");
    assertThat(store.read(lane).getStatus().state()).isEqualTo(SnapshotState.COMPLETED);
  }

  @Test
  void aReportTellsItsEventOnWhatRunsTheJob() {
    record(uid(), SnapshotRecord.NONE, SnapshotRecord.NONE.triggering(TRIGGER));

    writer.report(new ReportRequest(uid(), report("failed", "SnapshotError")));
    writer.report(new ReportRequest(uid(), report("failed", "SnapshotError")));

    assertThat(status().operation()).as("that of the job's own lane").isNull();
    assertThat(status().snapshots().savepoint().status().operation().message()).isEqualTo("failed");
    assertThat(client.v1().events().inNamespace(namespace).list().getItems())
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.getInvolvedObject().getKind()).isEqualTo(kind().wire());
              assertThat(event.getInvolvedObject().getUid()).isEqualTo(lane.uid());
              assertThat(event.getMessage()).isEqualTo("savepoint " + NAME + ": failed");
            });
  }

  @Test
  void aReportOnOneThatIsNotBegunLeavesTheStatusOfTheOneBefore() {
    record(uid(), SnapshotRecord.NONE, SnapshotRecord.NONE.completed("s3://2", AT));
    asks(6, "orders-savepoint-manual-6", "NATIVE");

    writer.report(new ReportRequest(uid(), report("connection reset", "SnapshotError")));
    writer.report(new ReportRequest(null, report("no route", "SnapshotError")));

    assertThat(status().snapshots().savepoint().status().operation().message())
        .isEqualTo("attempt 1");
    assertThat(client.v1().events().inNamespace(namespace).list().getItems())
        .extracting(Event::getMessage)
        .containsExactlyInAnyOrder(
            "savepoint orders-savepoint-manual-6: connection reset", "savepoint: no route");
  }

  /** What Apache's operator wrote would be said of a savepoint that no nonce asked for. */
  @Test
  void whatAnotherManagerSaidOfAnEarlierOneIsNotSaidOfTheNext() {
    record(uid(), SnapshotRecord.NONE, SnapshotRecord.NONE.completed("s3://1", AT));
    Savepoint first = new Savepoint(7, "s3://0", "MANUAL", "NATIVE", 99L);
    SavepointInfo foreign =
        new SavepointInfo(first, null, 8L, "MANUAL", "NATIVE", List.of(first), 0);
    CheckpointInfo checkpoints =
        new CheckpointInfo(new Checkpoint(7, "MANUAL", "FULL", 98L), null, null, null, null, 0);
    patchAs("other", JobStatus.EMPTY.withSavepointInfo(foreign).withCheckpointInfo(checkpoints));
    PeriodicInStatus periodic = new PeriodicInStatus(store, new TestClock());
    FlinkStateSnapshot due = periodic("20261121100005");
    assertThat(periodic.make(StatusLane.owner(lane), SnapshotType.SAVEPOINT, due)).isEmpty();

    record(
        uid(),
        SnapshotRecord.NONE,
        SnapshotRecord.NONE.triggering(TRIGGER).completed("s3://2", AT));

    Savepoint second = new Savepoint(AT, "s3://2", "PERIODIC", due.getSpec().formatType(), null);
    assertThat(status().jobStatus().savepointInfo())
        .isEqualTo(new SavepointInfo(second, null, null, null, null, List.of(first, second), AT));
    assertThat(status().jobStatus().checkpointInfo()).isEqualTo(checkpoints);
  }

  /** W4: one savepoint in flight, never two. */
  @Test
  void oneThatApachesOperatorHasBegunIsAskedForByItsTriggerAndComesFirst() {
    Savepoint first = new Savepoint(7, "s3://0", "MANUAL", "NATIVE", 99L);
    SavepointInfo pending =
        new SavepointInfo(
            first, "00000000000000000000000000000009", AT, "PERIODIC", "NATIVE", List.of(first), 3);
    patchAs("apache", JobStatus.EMPTY.withSavepointInfo(pending));

    // given: it is in progress, of whatever job runs
    SnapshotRecord begun = SnapshotStatus.record(store.read(lane).getStatus());
    assertThat(begun)
        .isEqualTo(
            SnapshotRecord.NONE.triggering(
                new Trigger("00000000000000000000000000000009", "", AT)));
    PeriodicInStatus periodic = new PeriodicInStatus(store, new TestClock());
    assertThat(
            periodic.make(
                StatusLane.owner(lane), SnapshotType.SAVEPOINT, periodic("20261121100005")))
        .as("none of ours is asked for meanwhile")
        .contains("savepoint-00000000000000000000000000000009");

    // when: its run finds out of which job, and that it is taken
    Trigger trigger = new Trigger("00000000000000000000000000000009", TRIGGER.jobId(), AT);
    String uid = uid();
    record(uid, begun, begun.triggering(trigger));
    assertThat(status().jobStatus().savepointInfo()).isEqualTo(pending);
    record(uid, begun.triggering(trigger), begun.triggering(trigger).completed("s3://1", AT + 9));

    // then: it is told as Apache's operator would, and what the nonce asks for comes next
    Savepoint taken = new Savepoint(AT, "s3://1", "PERIODIC", "NATIVE", null);
    assertThat(status().jobStatus().savepointInfo())
        .isEqualTo(new SavepointInfo(taken, null, null, null, null, List.of(first, taken), AT));
    assertThat(store.read(lane).getMetadata().getName()).isEqualTo(NAME);
  }

  @Test
  void oneThatWasGivenUpInDoubtIsKnownUntilTheNextHasEnded() {
    String first = uid();
    SnapshotRecord triggering = SnapshotRecord.NONE.triggering(TRIGGER);
    record(first, SnapshotRecord.NONE, triggering);
    record(first, triggering, triggering.givenUp(SnapshotState.ABANDONED, "enough", AT + 1, true));
    asks(6, "orders-savepoint-manual-6", "NATIVE");

    assertThat(store.now(lane).earlier()).containsExactly(TRIGGER.id());
    Trigger second = new Trigger("00000000000000000000000000000002", TRIGGER.jobId(), AT + 2);
    record(uid(), SnapshotRecord.NONE, SnapshotRecord.NONE.triggering(second));

    assertThat(store.now(lane).earlier()).containsExactly(TRIGGER.id());
  }

  @Test
  void aPeriodicOneIsNotAskedForAgainOnceANonceHasFollowedIt() {
    PeriodicInStatus periodic = new PeriodicInStatus(store, new TestClock());
    ResourceRef owner = StatusLane.owner(lane);
    FlinkStateSnapshot due = periodic("20261121100005");
    assertThat(periodic.make(owner, SnapshotType.SAVEPOINT, due)).contains(NAME);
    record(uid(), SnapshotRecord.NONE, SnapshotRecord.NONE.completed("s3://1", AT));
    assertThat(periodic.make(owner, SnapshotType.SAVEPOINT, due)).isEmpty();
    record(uid(), SnapshotRecord.NONE, SnapshotRecord.NONE.completed("s3://2", AT));
    asks(6, "orders-savepoint-manual-6", "NATIVE");
    record(uid(), SnapshotRecord.NONE, SnapshotRecord.NONE.completed("s3://3", AT));

    // when the answer was lost
    assertThat(
            PeriodicInStatus.isMade(
                periodic.read(owner, SnapshotType.SAVEPOINT).snapshots().savepoint(), due))
        .isTrue();
    assertThat(periodic.make(owner, SnapshotType.SAVEPOINT, due)).isEmpty();
    assertThat(status().snapshots().savepoint().name()).isEqualTo("orders-savepoint-manual-6");
    assertThat(locations()).containsExactly("s3://1", "s3://2", "s3://3");
  }

  @Test
  void aPeriodicOneCostsThreeWrites(ApiServer server) {
    record(uid(), SnapshotRecord.NONE, SnapshotRecord.NONE.completed("s3://1", AT));
    CountedRequests requests = new CountedRequests();
    try (KubernetesClient counted = requests.client(server.config())) {
      SnapshotStore counting = new SnapshotStore(counted, stores);
      writer = new SnapshotStatusWriter(counted, counting, new TestClock());
      Optional<String> inTheWay =
          new PeriodicInStatus(counting, new TestClock())
              .make(StatusLane.owner(lane), SnapshotType.SAVEPOINT, periodic("20261121100005"));
      assertThat(inTheWay).isEmpty();

      String uid = uid();
      SnapshotRecord triggering = SnapshotRecord.NONE.triggering(TRIGGER);
      record(uid, SnapshotRecord.NONE, SnapshotRecord.NONE.pending());
      record(uid, SnapshotRecord.NONE, triggering);
      record(uid, triggering, triggering.completed("s3://2", AT + 400));
    }

    assertThat(requests.paths().stream().filter(it -> it.startsWith("PATCH "))).hasSize(3);
    assertThat(status().snapshots().savepoint().status().operation()).isNotNull();
    assertThat(locations()).containsExactly("s3://1", "s3://2");
  }

  private FlinkStateSnapshot periodic(String time) {
    return RequestedSnapshot.of(
        SnapshotType.SAVEPOINT,
        TriggerType.PERIODIC,
        kind(),
        resource().metadata(),
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
