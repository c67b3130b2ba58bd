package dev.sluice.activities.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.flink.Checkpoints.Completed;
import dev.sluice.activities.flink.Checkpoints.Counts;
import dev.sluice.activities.flink.Checkpoints.Kind;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whether a job is being stopped with a savepoint, by what Flink tells of its checkpoints. */
class CheckpointsTest {

  private static final Instant NOW = Instant.EPOCH;

  static Stream<Arguments> jobs() {
    return Stream.of(
        Arguments.of("has none", checkpoints(0, null, null, null, null), false),
        Arguments.of("takes a checkpoint", checkpoints(1, NOW, null, null, null), false),
        Arguments.of("takes a savepoint", checkpoints(1, null, NOW, null, null), false),
        Arguments.of("takes another one", checkpoints(1, null, null, null, null), true),
        Arguments.of("takes another one, too", checkpoints(2, NOW, null, null, null), true),
        Arguments.of(
            "has completed a savepoint",
            checkpoints(0, null, null, checkpoint(4), savepoint(5, Kind.SAVEPOINT)),
            false),
        Arguments.of(
            "has completed one that stops it",
            checkpoints(0, null, null, checkpoint(4), savepoint(5, Kind.STOP_SAVEPOINT)),
            true),
        Arguments.of(
            "has gone on after one",
            checkpoints(0, null, null, checkpoint(6), savepoint(5, Kind.STOP_SAVEPOINT)),
            false));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("jobs")
  void aJobIsBeingStopped(String name, Checkpoints told, boolean expected) {
    assertThat(told.stopsJob()).isEqualTo(expected);
  }

  private static Checkpoints checkpoints(
      long inProgress,
      @Nullable Instant pending,
      @Nullable Instant goingOn,
      @Nullable Completed completed,
      @Nullable Completed savepoint) {
    return new Checkpoints(
        new Counts(9, inProgress, 0, 0, 0),
        Optional.ofNullable(completed),
        Optional.ofNullable(savepoint),
        Optional.empty(),
        Optional.empty(),
        Optional.ofNullable(pending),
        Optional.ofNullable(goingOn));
  }

  private static Completed checkpoint(long id) {
    return new Completed(id, Kind.CHECKPOINT, Optional.of("file:/c"), false, NOW);
  }

  private static Completed savepoint(long id, Kind kind) {
    return new Completed(id, kind, Optional.of("file:/s"), false, NOW);
  }
}
