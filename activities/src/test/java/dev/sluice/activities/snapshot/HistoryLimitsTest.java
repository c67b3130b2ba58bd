package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SnapshotType;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistoryLimitsTest {

  private static final String HISTORY = "kubernetes.operator.savepoint.history.max.";

  private static Optional<HistoryLimits> savepoints(
      Map<String, String> own, Map<String, String> defaults) {
    return HistoryLimits.of(
        SnapshotType.SAVEPOINT, FlinkConfiguration.of(own), FlinkConfiguration.of(defaults));
  }

  private static Optional<HistoryLimits> checkpoints(Map<String, String> own) {
    return HistoryLimits.of(
        SnapshotType.CHECKPOINT, FlinkConfiguration.of(own), FlinkConfiguration.empty());
  }

  @Test
  void tenSavepointsAreKeptForADayUnlessTheSpecSaysOtherwise() {
    assertThat(savepoints(Map.of(), Map.of()))
        .contains(new HistoryLimits(10, Duration.ofHours(24)));
    assertThat(savepoints(Map.of(HISTORY + "count", "3", HISTORY + "age", "2 h"), Map.of()))
        .contains(new HistoryLimits(3, Duration.ofHours(2)));
  }

  @Test
  void theThresholdsOfTheOperatorCapThem() {
    Map<String, String> defaults =
        Map.of(HISTORY + "count.threshold", "5", HISTORY + "age.threshold", "12 h");

    assertThat(savepoints(Map.of(HISTORY + "count", "30", HISTORY + "age", "30 d"), defaults))
        .contains(new HistoryLimits(5, Duration.ofHours(12)));
    assertThat(savepoints(Map.of(HISTORY + "count", "3", HISTORY + "age", "1 h"), defaults))
        .contains(new HistoryLimits(3, Duration.ofHours(1)));
  }

  @Test
  void nothingIsDeletedWhereThatIsSwitchedOffOrCannotBeUnderstood() {
    assertThat(
            savepoints(Map.of("kubernetes.operator.savepoint.cleanup.enabled", "false"), Map.of()))
        .isEmpty();
    assertThat(savepoints(Map.of(HISTORY + "count", "few"), Map.of())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"few, x", "0, 0", "-1, -1 h"})
  void aThresholdThatMakesNoSenseCapsNothingAndSwitchesNothingOff(String count, String age) {
    HistoryLimits asked = new HistoryLimits(3, Duration.ofHours(2));
    Map<String, String> own = Map.of(HISTORY + "count", "3", HISTORY + "age", "2 h");

    assertThat(savepoints(own, Map.of(HISTORY + "count.threshold", count))).contains(asked);
    assertThat(savepoints(own, Map.of(HISTORY + "age.threshold", age))).contains(asked);
    assertThat(
            savepoints(
                own, Map.of(HISTORY + "count.threshold", count, HISTORY + "age.threshold", "1 h")))
        .contains(new HistoryLimits(3, Duration.ofHours(1)));
  }

  @Test
  void ofCheckpointsAsManyAreKeptAsFlinkKeeps() {
    assertThat(checkpoints(Map.of())).contains(new HistoryLimits(1, null));
    assertThat(checkpoints(Map.of("state.checkpoints.num-retained", "3")))
        .contains(new HistoryLimits(3, null));
    assertThat(checkpoints(Map.of("execution.checkpointing.num-retained", "4")))
        .contains(new HistoryLimits(4, null));
  }

  @ParameterizedTest(name = "{0}: at most {1}, for {2} h: {3} goes")
  @CsvSource({
    "1 2 3, 3, 24, ",
    "1 2 3, 2, 24, 1",
    "1 2 3, 1, 24, 1 2",
    "1 2 3, 0, 24, 1 2", // at least one stays
    "3, 1, 1, ", // also when it is old
    "1 2 11, 10, 10, 1 2",
    "3 4 11, 10, 10, ",
  })
  void theOldestThatIsTooMuchGoes(String hours, int count, int age, @Nullable String goes) {
    Instant midnight = Instant.parse("2026-11-21T00:00:00Z");
    List<Savepoint> history =
        Arrays.stream(hours.split(" "))
            .map(
                it ->
                    new Savepoint(
                        midnight.plus(Duration.ofHours(Long.parseLong(it))).toEpochMilli(),
                        it,
                        "MANUAL",
                        "NATIVE",
                        null))
            .toList();

    assertThat(
            new HistoryLimits(count, Duration.ofHours(age))
                .excess(history, midnight.plus(Duration.ofHours(12))))
        .containsExactly(goes == null ? new String[0] : goes.split(" "));
  }
}
