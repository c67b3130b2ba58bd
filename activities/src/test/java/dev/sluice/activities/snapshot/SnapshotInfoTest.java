package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.Checkpoint;
import dev.sluice.api.common.CheckpointInfo;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SavepointInfo;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.common.StatusSnapshot;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.SnapshotInStatus;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.api.snapshot.TriggerType;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The fields that tools for Apache's operator read: see its SavepointInfo and CheckpointInfo. */
class SnapshotInfoTest {

  private static final String ID = "00000000000000000000000000000001";
  private static final long AT = 1_795_248_000_123L;
  private static final Savepoint OLDER =
      new Savepoint(1, "s3://savepoints/1", "UPGRADE", "CANONICAL", null);
  private static final JobStatus BEFORE =
      JobStatus.EMPTY
          .withJobName("orders")
          .withUpgradeSavepointPath("s3://savepoints/1")
          .withSavepointInfo(
              new SavepointInfo(OLDER, "old", 2L, "MANUAL", "NATIVE", List.of(OLDER), 7))
          .withCheckpointInfo(
              new CheckpointInfo(
                  new Checkpoint(3, "MANUAL", "FULL", 1L), null, null, null, null, 8));

  private static StatusSnapshot snapshot(
      TriggerType trigger, String format, @Nullable Long nonce, SnapshotState state) {
    return new StatusSnapshot(
        "orders-1",
        trigger.name(),
        format,
        nonce,
        SnapshotInStatus.progress(
            FlinkStateSnapshotStatus.EMPTY
                .withState(state)
                .withTriggerId(ID)
                .withTriggerTimestamp("2026-11-21T08:00:00.123Z")
                .withPath(state == SnapshotState.COMPLETED ? "s3://savepoints/2" : null)));
  }

  private static SnapshotInfo info(JobStatus before) {
    return SnapshotInfo.of(FlinkDeploymentStatus.EMPTY.withJobStatus(before));
  }

  private static JobStatus of(JobStatus before, SnapshotType type, StatusSnapshot now) {
    return info(before).with(type, now).jobStatus();
  }

  private static JobStatus withTaken(JobStatus before, Savepoint taken) {
    return info(before).withTaken(taken).jobStatus();
  }

  @Test
  void whatIsInProgressIsPending() {
    JobStatus now =
        of(
            BEFORE,
            SnapshotType.SAVEPOINT,
            snapshot(TriggerType.MANUAL, "CANONICAL", 5L, SnapshotState.IN_PROGRESS));

    assertThat(now.savepointInfo())
        .isEqualTo(new SavepointInfo(OLDER, ID, AT, "MANUAL", "CANONICAL", List.of(OLDER), 7));
  }

  @Test
  void whatWasTakenIsTheLastOneAndInTheHistory() {
    JobStatus now =
        of(
            BEFORE,
            SnapshotType.SAVEPOINT,
            snapshot(TriggerType.MANUAL, "NATIVE", 5L, SnapshotState.COMPLETED));

    Savepoint taken = new Savepoint(AT, "s3://savepoints/2", "MANUAL", "NATIVE", 5L);
    assertThat(now.savepointInfo())
        .isEqualTo(new SavepointInfo(taken, null, null, null, null, List.of(OLDER, taken), 7));
    assertThat(
            of(
                now,
                SnapshotType.SAVEPOINT,
                snapshot(TriggerType.MANUAL, "NATIVE", 5L, SnapshotState.COMPLETED)))
        .as("the same again")
        .isEqualTo(now);
  }

  @Test
  void theTimeOfTheLastPeriodicOneIsKept() {
    JobStatus now =
        of(
            BEFORE,
            SnapshotType.SAVEPOINT,
            snapshot(TriggerType.PERIODIC, "NATIVE", null, SnapshotState.COMPLETED));

    assertThat(now.savepointInfo().lastPeriodicSavepointTimestamp()).isEqualTo(AT);
    assertThat(now.savepointInfo().lastSavepoint().triggerType()).isEqualTo("PERIODIC");
  }

  @ParameterizedTest
  @EnumSource(names = {"TRIGGER_PENDING", "FAILED", "ABANDONED"})
  void whatWasNotTakenIsPendingNoMore(SnapshotState state) {
    JobStatus now =
        of(BEFORE, SnapshotType.SAVEPOINT, snapshot(TriggerType.MANUAL, "NATIVE", 5L, state));

    assertThat(now.savepointInfo())
        .isEqualTo(new SavepointInfo(OLDER, null, null, null, null, List.of(OLDER), 7));
  }

  /** As with Apache's operator, where FlinkStateSnapshots are switched off. */
  @Test
  void whatOperationsTookIsInTheHistoryOnceAndTheNewestIsTheLastOne() {
    Savepoint first = Savepoint.ofOperation(AT + 1, "s3://savepoints/3", "NATIVE");
    Savepoint second = Savepoint.ofOperation(AT + 2, "s3://savepoints/4", "NATIVE");

    JobStatus now = withTaken(withTaken(BEFORE, first), second);

    assertThat(now.savepointInfo())
        .as("what is pending stays")
        .isEqualTo(
            new SavepointInfo(
                second, "old", 2L, "MANUAL", "NATIVE", List.of(OLDER, first, second), 7));
    assertThat(withTaken(now, second)).isEqualTo(now);
  }

  @Test
  void whatAnOperationTookBeforeTheLastOneIsNotTheLastOne() {
    Savepoint earlier = Savepoint.ofOperation(OLDER.timeStamp() - 1, "s3://savepoints/0", "NATIVE");

    JobStatus now = withTaken(BEFORE, earlier);

    assertThat(now.savepointInfo().lastSavepoint()).isEqualTo(OLDER);
    assertThat(now.savepointInfo().savepointHistory()).containsExactly(earlier, OLDER);
  }

  @Test
  void theHistoryIsNeverTooLongForAStatus() {
    JobStatus now = BEFORE;
    for (int i = 0; i < 300; i++) {
      StatusSnapshot given = snapshot(TriggerType.MANUAL, "NATIVE", 5L, SnapshotState.COMPLETED);
      now =
          of(
              now,
              SnapshotType.SAVEPOINT,
              given.withStatus(
                  SnapshotInStatus.progress(
                      SnapshotInStatus.status(given).withPath("s3://savepoints/n" + i))));
    }

    assertThat(now.savepointInfo().savepointHistory())
        .hasSize(200)
        .last()
        .isEqualTo(now.savepointInfo().lastSavepoint());
  }

  @Test
  void aCheckpointIsToldOfBesideTheSavepoints() {
    JobStatus now =
        of(
            BEFORE,
            SnapshotType.CHECKPOINT,
            snapshot(TriggerType.PERIODIC, "CONFIGURED", null, SnapshotState.COMPLETED));

    assertThat(now)
        .as("no field of the controller's or of operations'")
        .isEqualTo(
            JobStatus.EMPTY
                .withSavepointInfo(BEFORE.savepointInfo())
                .withCheckpointInfo(
                    new CheckpointInfo(
                        new Checkpoint(AT, "PERIODIC", "UNKNOWN", null),
                        null,
                        null,
                        null,
                        null,
                        AT)));
  }
}
