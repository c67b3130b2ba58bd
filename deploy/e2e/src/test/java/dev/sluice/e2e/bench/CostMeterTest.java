package dev.sluice.e2e.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CostMeterTest {

  private static final String TEXT =
      """
      # HELP calls_total how many
      # TYPE calls_total counter
      calls_total{to="a"} 3.0
      calls_total{to="b"} 1.0E1
      calls_total_other 100.0
      uptime 7
      """;

  @Test
  void addsUpAllLabels() {
    assertThat(CostMeter.sum(TEXT, "calls_total")).isEqualTo(13.0);
  }

  @Test
  void readsAMetricWithoutLabels() {
    assertThat(CostMeter.sum(TEXT, "uptime")).isEqualTo(7.0);
  }

  @Test
  void aMetricThatIsNotThereIsNothing() {
    assertThat(CostMeter.sum(TEXT, "calls")).isZero();
  }
}
