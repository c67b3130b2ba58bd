package dev.sluice.activities.rescale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.flink.CheckpointSettings;
import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.Checkpoints.Completed;
import dev.sluice.activities.flink.Checkpoints.Kind;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.model.JobObservation.Retention;
import dev.sluice.workflows.model.Observation.StateOptions;
import dev.sluice.workflows.model.Observation.Target;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class TaskRestartTest {

  private static final Instant NOW = Instant.parse("2026-11-21T08:00:00Z");
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private static Target by(UpgradeMode mode) {
    return new Target(2, mode, null, null, StateOptions.DEFAULT, false, false, false);
  }

  private static Target allowing(Duration age) {
    StateOptions options = new StateOptions(false, true, true, age.toMillis(), false, null);
    return new Target(2, UpgradeMode.LAST_STATE, null, null, options, false, false, false);
  }

  private static Completed completed(long id, Kind kind, boolean discarded, long secondsAgo) {
    return new Completed(
        id, kind, Optional.of("file:/s/" + id), discarded, NOW.minusSeconds(secondsAgo));
  }

  private static Completed checkpoint(long secondsAgo) {
    return completed(7, Kind.CHECKPOINT, false, secondsAgo);
  }

  private static Completed acknowledged(long triggered, long completed) {
    return new Completed(
        7,
        Kind.CHECKPOINT,
        Optional.of("file:/s/7"),
        false,
        NOW.minusSeconds(triggered),
        Optional.of(NOW.minusSeconds(completed)));
  }

  private static TaskRestart restart(
      @Nullable Duration interval, @Nullable Completed checkpoint, @Nullable Completed savepoint) {
    return new TaskRestart(
        Optional.of(
            new CheckpointSettings(
                Retention.RETAINED, Duration.ofMinutes(10), Optional.ofNullable(interval))),
        Optional.of(
            new Checkpoints(
                new Checkpoints.Counts(9, 0, 7, 1, 1),
                Optional.ofNullable(checkpoint),
                Optional.ofNullable(savepoint),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty())),
        NOW);
  }

  static Stream<Arguments> found() {
    String none = "the job has completed no checkpoint since its JobManager started";
    Completed savepoint = completed(8, Kind.SAVEPOINT, true, 5);
    return Stream.of(
        Arguments.of(restart(MINUTE, checkpoint(30), null), null),
        Arguments.of(restart(MINUTE, checkpoint(30), savepoint), null),
        Arguments.of(restart(MINUTE, null, null), none),
        Arguments.of(restart(MINUTE, savepoint, savepoint), none),
        Arguments.of(
            restart(null, checkpoint(30), null),
            "the job takes no checkpoints, from which its tasks could start again"),
        Arguments.of(
            new TaskRestart(Optional.empty(), Optional.empty(), NOW),
            "the job takes no checkpoints, from which its tasks could start again"),
        Arguments.of(
            restart(MINUTE, completed(7, Kind.CHECKPOINT, true, 30), null),
            "Flink has deleted its newest checkpoint"));
  }

  @ParameterizedTest
  @MethodSource("found")
  void theyStartFromACheckpointThatIsThere(TaskRestart restart, @Nullable String problem) {
    for (UpgradeMode mode : UpgradeMode.values()) {
      assertThat(restart.problem(by(mode))).isEqualTo(Optional.ofNullable(problem));
    }
  }

  @ParameterizedTest(name = "an interval of {0} s, {1} s old: {2}")
  @CsvSource({"60, 120, true", "60, 121, false", "1, 60, true", "1, 61, false", "600, 900, true"})
  void itMayBeAsOldAsTwoIntervalsOrAMinute(long interval, long age, boolean may) {
    TaskRestart restart = restart(Duration.ofSeconds(interval), checkpoint(age), null);

    assertThat(restart.problem(by(UpgradeMode.SAVEPOINT)).isEmpty()).isEqualTo(may);
  }

  @ParameterizedTest(name = "took {0} s, {1} s old: {2}")
  @CsvSource({"300, 420, true", "300, 421, false"})
  void itsAgeCountsFromItsCompletion(long took, long age, boolean may) {
    TaskRestart restart = restart(MINUTE, acknowledged(age, age - took), null);

    assertThat(restart.problem(by(UpgradeMode.SAVEPOINT)).isEmpty()).isEqualTo(may);
  }

  @Test
  void theAgeThatAnUpgradeAllowsCountsFromItsTrigger() {
    TaskRestart restart = restart(MINUTE, acknowledged(310, 10), null);

    assertThat(restart.problem(allowing(Duration.ofSeconds(300))))
        .contains("its newest checkpoint is 310 s old, more than 300 s");
    assertThat(restart.problem(allowing(Duration.ofSeconds(310)))).isEmpty();
  }
}
