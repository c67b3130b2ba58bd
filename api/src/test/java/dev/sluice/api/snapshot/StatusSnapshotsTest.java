package dev.sluice.api.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.CheckpointType;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.common.StatusSnapshot;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is taken without a FlinkStateSnapshot, by what the status says. */
class StatusSnapshotsTest {

  private static final ObjectMeta ORDERS =
      new ObjectMetaBuilder()
          .withNamespace("default")
          .withName("orders")
          .withUid("11111111-0000-0000-0000-000000000000")
          .build();

  private static StatusSnapshot begun(String name, @Nullable SnapshotState state) {
    return new StatusSnapshot(
        name,
        "PERIODIC",
        "NATIVE",
        null,
        state == null
            ? null
            : SnapshotInStatus.progress(FlinkStateSnapshotStatus.EMPTY.withState(state)));
  }

  @ParameterizedTest
  @CsvSource({
    ", true",
    "TRIGGER_PENDING, true",
    "IN_PROGRESS, true",
    "COMPLETED, false",
    "FAILED, false",
    "ABANDONED, false"
  })
  void whatHasNotEndedIsTaken(@Nullable SnapshotState state, boolean isOpen) {
    assertThat(begun("orders-savepoint-periodic-1", state).isOpen()).isEqualTo(isOpen);
  }

  @Test
  void eachOneIsReadAsTheFlinkStateSnapshotThatItWouldBe() {
    StatusSnapshot savepoint = begun("orders-savepoint-periodic-1", SnapshotState.COMPLETED);
    FlinkStateSnapshot read =
        SnapshotInStatus.resource(
            savepoint, SnapshotType.SAVEPOINT, JobKind.FLINK_DEPLOYMENT, ORDERS);

    assertThat(read.getSpec().savepoint().format()).isEqualTo(SavepointFormatType.NATIVE);
    assertThat(read.getSpec().jobReference().name()).isEqualTo("orders");
    assertThat(read.getSpec().isDisposedWithResource()).isFalse();
    assertThat(read.getStatus().state()).isEqualTo(SnapshotState.COMPLETED);

    FlinkStateSnapshot checkpoint =
        SnapshotInStatus.resource(
            new StatusSnapshot("c", "MANUAL", "CONFIGURED", 1L, null),
            SnapshotType.CHECKPOINT,
            JobKind.FLINK_DEPLOYMENT,
            ORDERS);
    assertThat(checkpoint.getSpec().checkpoint().typeOrFull()).isEqualTo(CheckpointType.CONFIGURED);
  }

  @Test
  void itsUidIsItsOwn() {
    assertThat(uid("a")).isEqualTo(uid("a")).isNotEqualTo(uid("b")).isNotEqualTo(ORDERS.getUid());
  }

  private static String uid(String name) {
    return SnapshotInStatus.resource(
            begun(name, SnapshotState.COMPLETED),
            SnapshotType.SAVEPOINT,
            JobKind.FLINK_DEPLOYMENT,
            ORDERS)
        .getMetadata()
        .getUid();
  }
}
