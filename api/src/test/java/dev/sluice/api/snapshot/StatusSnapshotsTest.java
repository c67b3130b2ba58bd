package dev.sluice.api.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.CheckpointInfo;
import dev.sluice.api.common.CheckpointType;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.SavepointInfo;
import dev.sluice.api.common.SnapshotTrigger;
import dev.sluice.api.common.SnapshotTriggers;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.common.StatusSnapshot;
import dev.sluice.api.common.StatusSnapshots;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import java.util.Optional;
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

  private static StatusSnapshot begun(
      String name, @Nullable String newestManual, SnapshotState state) {
    return new StatusSnapshot(
        name,
        "PERIODIC",
        "NATIVE",
        null,
        newestManual,
        name.startsWith("periodic") ? name : null,
        SnapshotInStatus.progress(
            FlinkStateSnapshotStatus.EMPTY
                .withState(state)
                .withResultTimestamp(state.isFinal() ? "2026-11-21T08:00:00Z" : null)));
  }

  private static SnapshotTriggers asked(@Nullable String name, @Nullable String format) {
    return new SnapshotTriggers(new SnapshotTrigger(5L, name, format, null), null);
  }

  @ParameterizedTest(name = "begun {0} ({1}), manual {2}, asked for {3} {4}: takes {5}")
  @CsvSource({
    // nothing is begun
    ", , , , ,",
    ", , , manual-5, CANONICAL, manual-5",
    ", , , manual-5, , ", // has its FlinkStateSnapshot
    // what is begun comes first, whoever asked for it
    "periodic-1, TRIGGER_PENDING, , , , periodic-1",
    "periodic-1, IN_PROGRESS, , manual-5, CANONICAL, periodic-1",
    "manual-5, IN_PROGRESS, manual-5, manual-5, CANONICAL, manual-5",
    // what has ended is not taken again
    "manual-5, COMPLETED, manual-5, manual-5, CANONICAL, ",
    "manual-5, ABANDONED, manual-5, manual-5, CANONICAL, ",
    "manual-5, FAILED, manual-5, manual-6, CANONICAL, manual-6",
    // also when a periodic one came after it
    "periodic-1, COMPLETED, manual-5, manual-5, CANONICAL, ",
    "periodic-1, COMPLETED, manual-5, manual-6, CANONICAL, manual-6",
  })
  void oneAfterTheOtherAndNoneTwice(
      @Nullable String begun,
      @Nullable SnapshotState state,
      @Nullable String manual,
      @Nullable String asked,
      @Nullable String format,
      @Nullable String takes) {
    StatusSnapshots given =
        begun == null
            ? StatusSnapshots.NONE
            : StatusSnapshots.NONE.with(SnapshotType.SAVEPOINT, begun(begun, manual, state));

    assertThat(
            given
                .wanted(asked(asked, format), null, SnapshotType.SAVEPOINT)
                .map(StatusSnapshot::name))
        .isEqualTo(Optional.ofNullable(takes));
    assertThat(given.wanted(asked(asked, format), null, SnapshotType.CHECKPOINT)).isEmpty();
  }

  private static JobStatus apache(@Nullable String triggerId) {
    return JobStatus.EMPTY.withSavepointInfo(
        new SavepointInfo(null, triggerId, 1_795_248_000_123L, "PERIODIC", "NATIVE", List.of(), 0));
  }

  /** W4: one savepoint in flight, never two. */
  @Test
  void whatApachesOperatorHasBegunComesBeforeWhatANonceAsksFor() {
    StatusSnapshots before =
        StatusSnapshots.NONE.with(
            SnapshotType.SAVEPOINT, begun("periodic-1", "manual-4", SnapshotState.COMPLETED));

    StatusSnapshot taken =
        before
            .wanted(asked("manual-5", "CANONICAL"), apache("abc"), SnapshotType.SAVEPOINT)
            .orElseThrow();

    FlinkStateSnapshotStatus status = SnapshotInStatus.status(taken);
    assertThat(status.state()).isEqualTo(SnapshotState.IN_PROGRESS);
    assertThat(status.triggerId()).isEqualTo("abc");
    assertThat(status.triggerTimestamp()).isEqualTo("2026-11-21T08:00:00.123Z");
    assertThat(taken.triggerType()).isEqualTo("PERIODIC");
    assertThat(taken.formatType()).isEqualTo("NATIVE");
    assertThat(taken.newestManual()).isEqualTo("manual-4");
    assertThat(taken.newestPeriodic()).isEqualTo("periodic-1");
    assertThat(before.wanted(asked("manual-5", null), apache("abc"), SnapshotType.CHECKPOINT))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"abc, IN_PROGRESS", "abc, ABANDONED", "'', COMPLETED", ", COMPLETED"})
  void whatIsOursIsNotTakenOver(@Nullable String triggerId, SnapshotState state) {
    StatusSnapshots ours =
        StatusSnapshots.NONE.with(
            SnapshotType.SAVEPOINT,
            new StatusSnapshot(
                "ours",
                "MANUAL",
                "NATIVE",
                null,
                "ours",
                null,
                SnapshotInStatus.progress(
                    FlinkStateSnapshotStatus.EMPTY
                        .withState(state)
                        .withTriggerId("abc")
                        .withResultTimestamp(state.isFinal() ? "2026-11-21T08:00:00Z" : null))));

    assertThat(ours.takenOver(apache(triggerId), SnapshotType.SAVEPOINT)).isEmpty();
  }

  @Test
  void aCheckpointOfApachesOperatorIsTakenOverToo() {
    JobStatus job =
        JobStatus.EMPTY.withCheckpointInfo(
            new CheckpointInfo(null, "abc", 1_795_248_000_123L, "MANUAL", "FULL", 0));

    assertThat(StatusSnapshots.NONE.wanted(null, job, SnapshotType.CHECKPOINT))
        .get()
        .extracting(it -> SnapshotInStatus.status(it).triggerId())
        .isEqualTo("abc");
  }

  @Test
  void whatANonceAsksForRemembersThePeriodicOneBefore() {
    StatusSnapshots given =
        StatusSnapshots.NONE.with(
            SnapshotType.SAVEPOINT, begun("periodic-1", null, SnapshotState.COMPLETED));

    assertThat(given.wanted(asked("manual-5", "NATIVE"), null, SnapshotType.SAVEPOINT))
        .get()
        .extracting(StatusSnapshot::newestManual, StatusSnapshot::newestPeriodic)
        .containsExactly("manual-5", "periodic-1");
  }

  @Test
  void eachOneIsReadAsTheFlinkStateSnapshotThatItWouldBe() {
    StatusSnapshot savepoint = begun("orders-savepoint-periodic-1", null, SnapshotState.COMPLETED);
    FlinkStateSnapshot read =
        SnapshotInStatus.resource(
            savepoint, SnapshotType.SAVEPOINT, JobKind.FLINK_DEPLOYMENT, ORDERS);

    assertThat(SnapshotValidation.validate(read)).isEmpty();
    assertThat(read.getSpec().savepoint().format()).isEqualTo(SavepointFormatType.NATIVE);
    assertThat(read.getSpec().jobReference().name()).isEqualTo("orders");
    assertThat(read.getSpec().isDisposedWithResource()).isFalse();
    assertThat(read.getStatus().state()).isEqualTo(SnapshotState.COMPLETED);

    FlinkStateSnapshot checkpoint =
        SnapshotInStatus.resource(
            new StatusSnapshot("c", "MANUAL", "CONFIGURED", 1L, "c", null, null),
            SnapshotType.CHECKPOINT,
            JobKind.FLINK_DEPLOYMENT,
            ORDERS);
    assertThat(SnapshotValidation.validate(checkpoint)).isEmpty();
    assertThat(checkpoint.getSpec().checkpoint().typeOrFull()).isEqualTo(CheckpointType.CONFIGURED);
  }

  @Test
  void itsUidIsItsOwn() {
    assertThat(uid("a")).isEqualTo(uid("a")).isNotEqualTo(uid("b")).isNotEqualTo(ORDERS.getUid());
  }

  private static String uid(String name) {
    return SnapshotInStatus.resource(
            begun(name, null, SnapshotState.COMPLETED),
            SnapshotType.SAVEPOINT,
            JobKind.FLINK_DEPLOYMENT,
            ORDERS)
        .getMetadata()
        .getUid();
  }

  /** The nonce that was answered before it is none of its own. */
  @Test
  void whatAnAnnotationAsksForHasNoNonce() {
    SnapshotTriggers asked =
        new SnapshotTriggers(
            new SnapshotTrigger(5L, "manual-1", "NATIVE", "before the migration"), null);

    assertThat(StatusSnapshots.NONE.wanted(asked, null, SnapshotType.SAVEPOINT))
        .hasValueSatisfying(it -> assertThat(it.triggerNonce()).isNull());
  }
}
