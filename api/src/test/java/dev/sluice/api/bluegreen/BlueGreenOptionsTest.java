package dev.sluice.api.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.bluegreen.BlueGreenOptions.Gates;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlueGreenOptionsTest {

  @Test
  void withoutKeysTheDefaultsHold() {
    assertThat(BlueGreenOptions.of(Map.of())).isEqualTo(BlueGreenOptions.DEFAULTS);
    assertThat(BlueGreenOptions.DEFAULTS.gates().isNone()).isTrue();
    assertThat(BlueGreenOptions.problems(Map.of())).isEmpty();
  }

  @Test
  void everyKeyIsRead() {
    Map<String, String> configuration =
        Map.of(
            BlueGreenOptions.GRACE, "3 min",
            BlueGreenOptions.DELETION_DELAY, "30 s",
            BlueGreenOptions.ON_ABORT, "delete",
            BlueGreenOptions.CHECKPOINTS, "2",
            BlueGreenOptions.NO_RESTART, "60 s",
            BlueGreenOptions.METRIC, "records-lag-max",
            BlueGreenOptions.METRIC_MAX, "1000",
            BlueGreenOptions.CUT_OVER, "exactly-once");

    assertThat(BlueGreenOptions.of(configuration))
        .isEqualTo(
            new BlueGreenOptions(
                Duration.ofMinutes(3),
                Duration.ofSeconds(30),
                AbortAction.DELETE,
                new Gates(2, Duration.ofMinutes(1), "records-lag-max", 1000.0),
                CutOver.EXACTLY_ONCE));
    assertThat(BlueGreenOptions.problems(configuration)).isEmpty();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "kubernetes.operator.bluegreen.abort.grace-period, soon",
    "kubernetes.operator.bluegreen.abort.grace-period, 0",
    "kubernetes.operator.bluegreen.deployment-deletion.delay, -1",
    "sluice.bluegreen.abort.child, keep",
    "sluice.bluegreen.cut-over, at-least-once",
    "sluice.bluegreen.gate.checkpoints, many",
    "sluice.bluegreen.gate.no-restart-for, 1 fortnight",
    "sluice.bluegreen.gate.metric.max, NaN",
  })
  void aValueThatCannotBeReadIsNamedAndCountsAsAbsent(String key, String value) {
    Map<String, String> configuration = Map.of(key, value);

    assertThat(BlueGreenOptions.problems(configuration)).containsKey(key);
    assertThat(BlueGreenOptions.of(configuration)).isEqualTo(BlueGreenOptions.DEFAULTS);
  }

  @Test
  void aMetricNeedsABound() {
    Map<String, String> configuration = Map.of(BlueGreenOptions.METRIC, "records-lag-max");

    assertThat(BlueGreenOptions.problems(configuration))
        .containsOnlyKeys(BlueGreenOptions.METRIC_MAX);
    assertThat(BlueGreenOptions.of(configuration).gates().isNone()).isTrue();
  }
}
