package dev.sluice.api.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotIntervalTest {

  private static Optional<SnapshotInterval> savepoints(String value) {
    return SnapshotInterval.of(
        FlinkConfiguration.empty().with("kubernetes.operator.periodic.savepoint.interval", value),
        SnapshotType.SAVEPOINT);
  }

  @ParameterizedTest
  @CsvSource({"6 h, PT6H", "90s, PT90S", "PT5M, PT5M", "1 d, P1D", " 10 min , PT10M"})
  void aTimeIsOneEachWhile(String value, Duration interval) {
    assertThat(savepoints(value)).contains(new SnapshotInterval.Every(value.trim(), interval));
  }

  @Test
  void everythingElseIsACronExpression() {
    assertThat(savepoints("0 0 3 * * ?"))
        .contains(new SnapshotInterval.At("0 0 3 * * ?", "0 0 3 * * * *"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "0 s", " "})
  void noneIsTakenWithoutATime(String value) {
    assertThat(savepoints(value)).isEmpty();
  }

  @Test
  void eachTypeHasItsKey() {
    FlinkConfiguration both =
        FlinkConfiguration.empty()
            .with("kubernetes.operator.periodic.savepoint.interval", "1 h")
            .with("kubernetes.operator.periodic.checkpoint.interval", "1 min");

    assertThat(SnapshotInterval.of(both, SnapshotType.SAVEPOINT).orElseThrow().text())
        .isEqualTo("1 h");
    assertThat(SnapshotInterval.of(both, SnapshotType.CHECKPOINT).orElseThrow().text())
        .isEqualTo("1 min");
    assertThat(SnapshotInterval.of(FlinkConfiguration.empty(), SnapshotType.SAVEPOINT)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "daily, must be a time",
    "3 oclock, must be a time",
    "500 ms, must be 0",
    "366 d, must be 0",
    "every now and then, must be a time",
    "0 0 3 * *, or a cron expression of 6 or 7 fields"
  })
  void whatIsNeitherIsRefused(String value, String message) {
    assertThatThrownBy(() -> savepoints(value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
