package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FailedRemoval;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.SnapshotTriggers;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities.RunRef;
import dev.sluice.workflows.snapshot.SnapshotActivities.DisposedRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.ReportRequest;
import dev.sluice.workflows.snapshot.SnapshotRecord;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What is removed of the history that the status of what runs the job has. */
class StatusHistoryIT extends StatusSnapshotScenario {

  /** FLINK-39439: Apache's operator forgets it first, and disposes of it then. */
  @Test
  void flink39439WhatTheHistoryHasNoPlaceForIsForgottenOnceItIsDisposedOf() {
    String uid = uid();
    for (int i = 2; i <= 3; i++) {
      record(uid, SnapshotRecord.NONE, SnapshotRecord.NONE.completed("s3://" + i, AT));
      asks(i + 5, "orders-savepoint-manual-" + i, "NATIVE");
      uid = uid();
    }
    asks(new SnapshotTriggers(null, null, null, "s3://2"));
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
    asks(new SnapshotTriggers(null, null, null, "s3://3"));
    writer.disposed(new DisposedRequest(first, null, deletion("SnapshotRemoved")));

    assertThat(locations()).containsExactly("s3://3");
    assertThat(status().snapshots().savepoint().status().path()).isEqualTo("s3://3");
    assertThat(client.v1().events().inNamespace(namespace).list().getItems())
        .singleElement()
        .satisfies(event -> assertThat(event.getReason()).isEqualTo("SnapshotRemoved"));
  }

  /** FLINK-39439: its files would stay, and nothing would know of them. */
  @Test
  void flink39439WhatCouldNotBeDeletedStaysInTheHistory() {
    record(uid(), SnapshotRecord.NONE, SnapshotRecord.NONE.completed("s3://2", AT));
    asks(new SnapshotTriggers(null, null, null, "s3://2"));
    String id = store.toDispose(lane).getMetadata().getUid();

    writer.disposed(new DisposedRequest(id, AT, deletion("SnapshotError")));
    writer.disposed(new DisposedRequest(id, AT, deletion("SnapshotError"))); // the answer was lost

    assertThat(locations()).containsExactly("s3://2");
    FailedRemoval once = new FailedRemoval("s3://2", 1, Instant.ofEpochMilli(AT).toString());
    assertThat(status().snapshots().failedRemoval("s3://2")).hasValue(once);

    writer.disposed(new DisposedRequest(id, AT + 1, deletion("SnapshotError")));
    assertThat(status().snapshots().failedRemovals())
        .containsExactly(new FailedRemoval("s3://2", 2, Instant.ofEpochMilli(AT + 1).toString()));

    writer.disposed(new DisposedRequest(id, null, deletion("SnapshotRemoved")));
    assertThat(locations()).isEmpty();
    assertThat(status().snapshots().failedRemovals()).isEmpty();
    assertThat(status().snapshots().savepoint().name()).isEqualTo(NAME);
  }

  @Test
  void whatIsRemovedIsNoneOfTheRunThatTakesAnother() {
    record(uid(), SnapshotRecord.NONE, SnapshotRecord.NONE.completed("s3://2", AT));
    asks(new SnapshotTriggers(null, null, null, "s3://2"));
    asks(6, "orders-savepoint-manual-6", "NATIVE");

    assertThat(store.read(lane).getMetadata().getName()).isEqualTo("orders-savepoint-manual-6");
    assertThat(store.toDispose(lane).getStatus().path()).isEqualTo("s3://2");
    writer.report(new ReportRequest(null, deletion("Blocked")));
    assertThat(locations()).containsExactly("s3://2");
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
        null,
        null,
        null);
  }
}
