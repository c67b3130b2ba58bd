package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SavepointInfo;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.SavepointFormatType;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.workflows.model.StatusLane;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A snapshot without a FlinkStateSnapshot, in the status of what runs the job. */
class StatusSnapshotIT extends StatusSnapshotScenario {

  @Test
  void whatANonceAsksForIsReadAsASnapshot() {
    FlinkStateSnapshot read = read();

    assertThat(read.getMetadata().getName()).isEqualTo(NAME);
    assertThat(read.getSpec().savepoint().format()).isEqualTo(SavepointFormatType.NATIVE);
    assertThat(SnapshotJob.of(stores, lane, read)).isPresent();
  }

  @Test
  void itIsToldInTheFieldsOfApachesOperatorByOneWriterOfItsOwn() {
    String uid = uid();
    FlinkStateSnapshotStatus triggering = triggering(NONE);
    record(uid, NONE, triggering);

    SavepointInfo pending = status().jobStatus().savepointInfo();
    assertThat(pending.triggerId()).isEqualTo(TRIGGER.id());
    assertThat(pending.triggerTimestamp()).isEqualTo(AT);
    assertThat(pending.triggerType()).isEqualTo("MANUAL");
    assertThat(pending.formatType()).isEqualTo("NATIVE");

    FlinkStateSnapshotStatus completed = completed(triggering, "s3://savepoints/2", AT + 400);
    record(uid, triggering, completed);
    record(uid, triggering, completed); // the answer was lost

    Savepoint taken = new Savepoint(AT, "s3://savepoints/2", "MANUAL", "NATIVE", 5L);
    assertThat(status().jobStatus().savepointInfo())
        .isEqualTo(new SavepointInfo(taken, null, null, null, null, List.of(taken), 0));
    assertThat(status().snapshots().savepoint().name()).isEqualTo(NAME);
    assertThat(read().getStatus().attempts()).isEqualTo(completed);
    assertThat(resource().metadata().getManagedFields())
        .filteredOn(entry -> entry.getFieldsV1().toString().contains("savepointInfo"))
        .extracting(ManagedFieldsEntry::getManager)
        .containsExactly("sluice-snapshots");
  }

  @Test
  void theNextOneIsBegunOnceTheFirstHasEnded() {
    String first = uid();
    FlinkStateSnapshotStatus triggering = triggering(NONE);
    record(first, NONE, triggering);
    assertThat(asks(5, NAME, "NATIVE")).as("by a crash before").isTrue();
    assertThat(asks(6, "orders-savepoint-manual-6-abcd1234", "CANONICAL")).isFalse();
    assertThat(uid()).isEqualTo(first);

    record(first, triggering, completed(triggering, "s3://savepoints/2", AT));
    assertThat(asks(6, "orders-savepoint-manual-6-abcd1234", "CANONICAL")).isTrue();
    String second = uid();
    assertThat(second).isNotEqualTo(first);
    record(second, NONE, completed(triggering(NONE), "s3://savepoints/3", AT));

    assertThat(status().jobStatus().savepointInfo().savepointHistory())
        .extracting(Savepoint::location)
        .containsExactly("s3://savepoints/2", "s3://savepoints/3");
    assertThatThrownBy(() -> record(first, NONE, triggering))
        .as("a run that was reset")
        .extracting(it -> ((ApplicationFailure) it).getType())
        .isEqualTo("Outdated");
    assertThat(read().getStatus().state()).isEqualTo(SnapshotState.COMPLETED);
  }

  @Test
  void aReportTellsItsEventOnWhatRunsTheJob() {
    record(uid(), NONE, triggering(NONE));

    writer.report(report("failed", "SnapshotError"));
    writer.report(report("failed", "SnapshotError"));

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

  private FlinkStateSnapshot read() {
    return store.read(lane).snapshot();
  }

  @Test
  void nothingIsTakenOfWhatNobodyAsksFor() {
    assertThatThrownBy(
            () -> store.read(StatusLane.of(StatusLane.owner(lane), SnapshotType.CHECKPOINT)))
        .extracting(it -> ((ApplicationFailure) it).getType())
        .isEqualTo("ResourceGone");
  }
}
