package dev.sluice.controller.observation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PollIntervalTest {

  @ParameterizedTest(name = "{0} clusters: each {1} ms")
  @CsvSource({"0, 1000", "1, 1000", "150, 1000", "180, 1200", "300, 2000", "7500, 50000"})
  void theIntervalGrowsWithTheNumberOfClusters(int clusters, long millis) {
    assertThat(PollInterval.defaults().among(clusters)).isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest(name = "{0} requests per second: each {1} ms")
  @CsvSource({"1, 400000", "1000, 1000", "10000, 1000"})
  void theBudgetIsASetting(int requestsPerSecond, long millis) {
    PollInterval interval = new PollInterval(Duration.ofSeconds(1), requestsPerSecond, 3);

    assertThat(interval.among(400)).isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest(name = "{0} clusters, silent {1} times: {2} ms")
  @CsvSource({
    "1, 0, 1000",
    "1, 3, 1000",
    "1, 4, 2000",
    "1, 5, 4000",
    "1, 6, 8000",
    "1, 7, 15000",
    "1, 1000000, 15000",
    "600, 3, 4000",
    "600, 4, 8000",
    "600, 5, 15000",
    "7500, 9, 50000"
  })
  void aSilentJobManagerIsAskedLessAndLessOften(int clusters, int silence, long millis) {
    assertThat(PollInterval.defaults().next(clusters, silence, 0.5))
        .isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest(name = "chance {0}: {1} ms")
  @CsvSource({"0, 900", "0.25, 950", "0.5, 1000", "1, 1100"})
  void whatBeganTogetherDoesNotStayInStep(double chance, long millis) {
    assertThat(PollInterval.defaults().next(1, 0, chance)).isEqualTo(Duration.ofMillis(millis));
  }

  /** A failed job is told within 2 s: the rest is for the answers and for the status. */
  @Test
  void eachOfTwoHundredClustersIsAskedWithinOneAndAHalfSeconds() {
    assertThat(PollInterval.defaults().next(200, 0, 1)).isLessThan(Duration.ofMillis(1500));
  }
}
