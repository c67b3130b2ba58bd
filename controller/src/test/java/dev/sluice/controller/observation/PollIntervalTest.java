package dev.sluice.controller.observation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PollIntervalTest {

  @ParameterizedTest(name = "{0} clusters: each {1} ms")
  @CsvSource({"0, 1000", "1, 1000", "100, 1000", "101, 1010", "200, 2000", "5000, 50000"})
  void theIntervalGrowsWithTheNumberOfClusters(int clusters, long millis) {
    assertThat(PollInterval.defaults().among(clusters)).isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest(name = "{0} requests per second: each {1} ms")
  @CsvSource({"1, 400000", "1000, 1000", "10000, 1000"})
  void theBudgetIsASetting(int requestsPerSecond, long millis) {
    PollInterval interval = new PollInterval(Duration.ofSeconds(1), requestsPerSecond, 3);

    assertThat(interval.among(400)).isEqualTo(Duration.ofMillis(millis));
  }
}
