package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SnapshotTrigger;
import dev.sluice.api.common.SnapshotTriggers;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.snapshot.RequestedSnapshot;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which savepoint of an operation has no FlinkStateSnapshot yet. */
class UpgradeSnapshotsTest {

  private static final Savepoint TAKEN =
      Savepoint.ofOperation(1, "s3://b/savepoint-1", "CANONICAL");
  private static final Savepoint LATER =
      Savepoint.ofOperation(2, "s3://b/savepoint-2", "CANONICAL");

  static Stream<Arguments> standings() {
    return Stream.of(
        Arguments.of("nothing was taken", null, null, null),
        Arguments.of("nothing was taken since", null, name(TAKEN), null),
        Arguments.of("it was taken", TAKEN, null, TAKEN),
        Arguments.of("it was made", TAKEN, name(TAKEN), null),
        Arguments.of("another was taken since", LATER, name(TAKEN), LATER),
        Arguments.of(
            "seen again by a run that was reset",
            Savepoint.ofOperation(9, "s3://b/savepoint-1", "CANONICAL"),
            name(TAKEN),
            null),
        Arguments.of("without a path", new Savepoint(1, null, null, null, null), null, null));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("standings")
  void aSavepointIsMadeKnownOnce(
      String standing,
      @Nullable Savepoint taken,
      @Nullable String made,
      @Nullable Savepoint expected) {
    for (UnaryOperator<Deployed> phase : PHASES) {
      assertThat(untold(phase.apply(Deployed.running()), taken, made))
          .isEqualTo(Stream.ofNullable(expected).toList());
    }
  }

  /** The savepoint is there whatever becomes of the operation, the spec or the job. */
  private static final List<UnaryOperator<Deployed>> PHASES =
      List.of(
          it -> it,
          it -> Deployed.upgrading(),
          it -> Deployed.finished(),
          it -> it.generation(7).invalid());

  @Test
  void aNonceThatIsAnsweredForgetsNoSavepoint() {
    SnapshotTriggers known = SnapshotTriggers.NONE.withUpgrade("made");

    assertThat(known.with(SnapshotType.SAVEPOINT, trigger()).upgrade())
        .isEqualTo(new SnapshotTrigger(null, "made"));
    assertThat(known.orNull()).isEqualTo(known);
  }

  private static SnapshotTrigger trigger() {
    return new SnapshotTrigger(5L, "manual");
  }

  private static String name(Savepoint taken) {
    return RequestedSnapshot.nameOfTaken(Deployed.running().resource().getMetadata(), taken);
  }

  private static List<Savepoint> untold(
      Deployed given, @Nullable Savepoint taken, @Nullable String made) {
    given.status(given.resource().getStatus().withTakenSavepoint(taken));
    return UpgradeSnapshots.untold(
        given.snapshot(),
        made == null ? SnapshotTriggers.NONE : SnapshotTriggers.NONE.withUpgrade(made));
  }
}
