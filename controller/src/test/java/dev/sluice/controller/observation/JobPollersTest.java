package dev.sluice.controller.observation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobPollersTest {

  @ParameterizedTest(name = "{0} clusters: each {1} ms")
  @CsvSource({"0, 1000", "1, 1000", "150, 1000", "180, 1200", "300, 2000", "7500, 50000"})
  void theIntervalGrowsWithTheNumberOfClusters(int clusters, long millis) {
    assertThat(JobPollers.Interval.defaults().among(clusters)).isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest(name = "{0} requests per second: each {1} ms")
  @CsvSource({"1, 400000", "1000, 1000", "10000, 1000"})
  void theBudgetIsASetting(int requestsPerSecond, long millis) {
    JobPollers.Interval interval =
        new JobPollers.Interval(Duration.ofSeconds(1), requestsPerSecond);

    assertThat(interval.among(400)).isEqualTo(Duration.ofMillis(millis));
  }

  /** A failed job is told within 2 s: the rest is for the answers and for the status. */
  @Test
  void eachOfTwoHundredClustersIsAskedWithinOneAndAHalfSeconds() {
    assertThat(JobPollers.Interval.defaults().among(200)).isLessThan(Duration.ofMillis(1500));
  }
}
