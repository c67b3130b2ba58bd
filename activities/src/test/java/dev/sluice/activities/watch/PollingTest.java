package dev.sluice.activities.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PollingTest {

  @ParameterizedTest
  @CsvSource({
    "0, 100",
    "1, 125",
    "2, 156",
    "5, 305",
    "7, 477",
    "8, 500",
    "19, 500", // changing soon
    "20, 500",
    "21, 625",
    "25, 1526",
    "27, 2000",
    "100000, 2000" // patience is over
  })
  void theGapGrowsWhileNothingChanges(int unchanged, long millis) {
    assertThat(Polling.defaults().gap(unchanged)).isEqualTo(Duration.ofMillis(millis));
  }

  @Test
  void theGapNeverShrinksWhileNothingChanges() {
    Polling polling = Polling.defaults();

    for (int i = 0; i < 60; i++) {
      assertThat(polling.gap(i + 1)).isGreaterThanOrEqualTo(polling.gap(i));
    }
  }
}
