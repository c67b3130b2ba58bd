package dev.sluice.api.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotIntervalTest {

  private static Optional<SnapshotInterval> savepoints(String value) {
    return SnapshotInterval.of(configuration(value), SnapshotType.SAVEPOINT);
  }

  private static FlinkConfiguration configuration(String value) {
    return FlinkConfiguration.empty()
        .with("kubernetes.operator.periodic.savepoint.interval", value);
  }

  @ParameterizedTest
  @CsvSource({"6 h, PT6H", "90s, PT90S", "PT5M, PT5M", "1 d, P1D", " 10 min , PT10M"})
  void aTimeIsOneEachWhile(String value, Duration interval) {
    assertThat(savepoints(value)).contains(new SnapshotInterval.Every(interval));
  }

  @ParameterizedTest
  @CsvSource({
    "0 0 3 * * ?, 2026-11-22T03:00:00Z",
    "0 0/10 * * * ?, 2026-11-21T10:10:00Z",
    "0 30 6 ? * MON-FRI, 2026-11-23T06:30:00Z",
    "0 0 0 L * ?, 2026-11-30T00:00:00Z",
    "0 0 8-18 ? JAN-DEC SUN-MON, 2026-11-22T08:00:00Z",
    "0 0 0 1 1 ? 2020, ",
  })
  void aCronExpressionIsThatOfQuartzInUtc(String cron, @Nullable Instant next) {
    assertThat(savepoints(cron).orElseThrow().after(Instant.parse("2026-11-21T10:00:00Z")))
        .isEqualTo(Optional.ofNullable(next));
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

    assertThat(SnapshotInterval.of(both, SnapshotType.SAVEPOINT).orElseThrow())
        .isEqualTo(new SnapshotInterval.Every(Duration.ofHours(1)));
    assertThat(SnapshotInterval.of(both, SnapshotType.CHECKPOINT).orElseThrow())
        .isEqualTo(new SnapshotInterval.Every(Duration.ofMinutes(1)));
    assertThat(SnapshotInterval.of(FlinkConfiguration.empty(), SnapshotType.SAVEPOINT)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "daily, must be a time",
    "3 oclock, must be a time",
    "500 ms, not 0",
    "366 d, not 0",
    "every now and then, must be a time",
    "0 0 3 * *, or a cron expression of Quartz",
    "0 0 22-2 * * ?, the range 22-2 ends before it begins",
    "0 0 0 1 NOV-FEB ?, the range NOV-FEB ends before it begins",
    "0 0 0 X-Y * ?, must be a time"
  })
  void whatIsNeitherIsRefused(String value, String message) {
    assertThatThrownBy(() -> SnapshotInterval.checked(configuration(value), SnapshotType.SAVEPOINT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
