package dev.sluice.activities.rescale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.flink.CheckpointSettings;
import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.Checkpoints.Completed;
import dev.sluice.activities.flink.Checkpoints.Failed;
import dev.sluice.activities.flink.Checkpoints.Kind;
import dev.sluice.activities.flink.Checkpoints.Restored;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.model.JobObservation.Retention;
import dev.sluice.workflows.model.Observation.StateOptions;
import dev.sluice.workflows.model.Observation.Target;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

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

  private static Failed failed(long secondsAgo) {
    return new Failed(8, false, "it expired", NOW.minusSeconds(secondsAgo));
  }

  private static Restored restored(long secondsAgo) {
    return new Restored(3, true, Optional.of("file:/s/3"), NOW.minusSeconds(secondsAgo));
  }

  private static TaskRestart restart(
      @Nullable Duration interval,
      @Nullable Completed checkpoint,
      @Nullable Completed savepoint,
      @Nullable Failed failed,
      @Nullable Restored restored) {
    return new TaskRestart(
        Optional.of(
            new CheckpointSettings(
                Retention.RETAINED, Duration.ofMinutes(10), Optional.ofNullable(interval))),
        Optional.of(
            new Checkpoints(
                new Checkpoints.Counts(9, 0, 7, 1, 1),
                Optional.ofNullable(checkpoint),
                Optional.ofNullable(savepoint),
                Optional.ofNullable(failed),
                Optional.ofNullable(restored),
                Optional.empty(),
                Optional.empty())),
        NOW);
  }

  @ParameterizedTest
  @EnumSource
  void theyMayFromARecentCheckpoint(UpgradeMode mode) {
    TaskRestart restart = restart(MINUTE, checkpoint(30), null, null, restored(600));

    assertThat(restart.problem(by(mode))).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"SAVEPOINT", "LAST_STATE"})
  void whatTakesNoCheckpointsWouldStartEmpty(UpgradeMode mode) {
    TaskRestart cannot = new TaskRestart(Optional.empty(), Optional.empty(), NOW);
    TaskRestart takesNone = restart(null, null, null, null, null);

    assertThat(cannot.problem(by(mode))).hasValueSatisfying(it -> assertThat(it).contains("takes"));
    assertThat(takesNone.problem(by(mode)))
        .contains("the job takes no checkpoints, from which its tasks could start again");
  }

  @Test
  void whatHasCompletedNoneYetWouldStartFromWhereItBegan() {
    assertThat(restart(MINUTE, null, null, null, restored(20)).problem(by(UpgradeMode.LAST_STATE)))
        .contains("the job has completed no checkpoint since its JobManager started");
  }

  @Test
  void whatAnUpgradeWouldStartWithoutStateMayStartSo() {
    assertThat(restart(null, null, null, null, null).problem(by(UpgradeMode.STATELESS))).isEmpty();
    assertThat(
            new TaskRestart(Optional.empty(), Optional.empty(), NOW)
                .problem(by(UpgradeMode.STATELESS)))
        .isEmpty();
    assertThat(restart(null, null, null, null, restored(20)).problem(by(UpgradeMode.STATELESS)))
        .as("it was started from a savepoint")
        .isPresent();
  }

  /** Flink starts no tasks from one after which the job went on, whatever became of its files. */
  @Test
  void aSavepointDoesNotMatter() {
    Completed savepoint = completed(8, Kind.SAVEPOINT, true, 5);

    assertThat(
            restart(MINUTE, checkpoint(30), savepoint, null, null)
                .problem(by(UpgradeMode.SAVEPOINT)))
        .isEmpty();
    assertThat(
            restart(MINUTE, checkpoint(300), savepoint, null, null)
                .problem(by(UpgradeMode.SAVEPOINT)))
        .isPresent();
    assertThat(restart(MINUTE, null, savepoint, null, null).problem(by(UpgradeMode.SAVEPOINT)))
        .isPresent();
  }

  @Test
  void aCheckpointThatFlinkHasDeletedIsNone() {
    assertThat(
            restart(MINUTE, completed(7, Kind.CHECKPOINT, true, 30), null, null, null)
                .problem(by(UpgradeMode.SAVEPOINT)))
        .contains("Flink has deleted its newest checkpoint");
  }

  @Test
  void aJobWhoseIntervalIsGoneTakesNoMore() {
    assertThat(restart(null, checkpoint(30), null, null, null).problem(by(UpgradeMode.SAVEPOINT)))
        .contains("the job takes no checkpoints by itself any more");
  }

  @ParameterizedTest(name = "an interval of {0} s, {1} s old: {2}")
  @CsvSource({"60, 120, true", "60, 121, false", "1, 60, true", "1, 61, false", "600, 900, true"})
  void itMayBeAsOldAsTwoIntervalsOrAMinute(long interval, long age, boolean may) {
    TaskRestart restart =
        restart(Duration.ofSeconds(interval), checkpoint(age), null, null, restored(9000));

    assertThat(restart.problem(by(UpgradeMode.SAVEPOINT)).isEmpty()).isEqualTo(may);
  }

  @ParameterizedTest(name = "took {0} s, {1} s old: {2}")
  @CsvSource({"300, 300, true", "300, 420, true", "300, 421, false", "10, 130, true"})
  void itsAgeCountsFromItsCompletion(long took, long age, boolean may) {
    TaskRestart restart =
        restart(MINUTE, acknowledged(age, age - took), null, null, restored(9000));

    assertThat(restart.problem(by(UpgradeMode.SAVEPOINT)).isEmpty()).isEqualTo(may);
  }

  @Test
  void theAgeThatAnUpgradeAllowsCountsFromItsTrigger() {
    TaskRestart restart = restart(MINUTE, acknowledged(310, 10), null, null, null);

    assertThat(restart.problem(allowing(Duration.ofSeconds(300))))
        .contains("its newest checkpoint is 310 s old, more than 300 s");
    assertThat(restart.problem(allowing(Duration.ofSeconds(310)))).isEmpty();
  }

  @Test
  void onlyWhatBeganWithNothingAndHasCompletedNoneIsFromNothing() {
    assertThat(restart(MINUTE, null, null, failed(20), null).isFromNothing()).isTrue();
    assertThat(new TaskRestart(Optional.empty(), Optional.empty(), NOW).isFromNothing()).isTrue();
    assertThat(restart(MINUTE, null, null, null, restored(20)).isFromNothing()).isFalse();
    assertThat(restart(MINUTE, checkpoint(9000), null, null, null).isFromNothing()).isFalse();
  }

  @Test
  void theAgeThatAnUpgradeAllowsCountsIfItIsLess() {
    TaskRestart restart = restart(MINUTE, checkpoint(50), null, null, null);

    assertThat(restart.problem(allowing(Duration.ofSeconds(40))))
        .contains("its newest checkpoint is 50 s old, more than 40 s");
    assertThat(restart.problem(allowing(Duration.ofHours(1)))).isEmpty();
  }

  @Test
  void whereCheckpointsFailSinceTheyMayNot() {
    assertThat(
            restart(MINUTE, checkpoint(60), null, failed(20), restored(600))
                .problem(by(UpgradeMode.SAVEPOINT)))
        .contains("its newest checkpoint has failed (it expired)");
  }

  @Test
  void oneThatFailedBecauseTheTasksStartedAgainDoesNotCount() {
    assertThat(
            restart(MINUTE, checkpoint(60), null, failed(20), restored(10))
                .problem(by(UpgradeMode.SAVEPOINT)))
        .isEmpty();
  }
}
