package dev.sluice.activities.async;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PollingTest {

  @ParameterizedTest
  @CsvSource({
    "0, 200",
    "1, 250",
    "2, 313",
    "5, 610",
    "7, 954",
    "8, 1000", // a change is expected soon
    "19, 1000",
    "20, 1000",
    "21, 1250",
    "24, 2000", // patience is over
    "100000, 2000",
  })
  void theGapGrowsWhileNothingChanges(int unchanged, long millis) {
    assertThat(Polling.defaults().gap(unchanged)).isEqualTo(Duration.ofMillis(millis));
  }

  @Test
  void tenSecondsWithoutAChangeCostFewLooks() {
    Polling polling = Polling.defaults();
    Duration passed = Duration.ZERO;
    int looks = 1;

    while (passed.compareTo(Duration.ofSeconds(10)) < 0) {
      passed = passed.plus(polling.gap(looks - 1));
      looks++;
    }

    assertThat(looks).isLessThanOrEqualTo(16);
  }

  @Test
  void whatMayBeOverInAMomentIsLookedAtSooner() {
    Polling polling = Polling.from(Duration.ofMillis(50));

    assertThat(polling.gap(0)).isEqualTo(Duration.ofMillis(50));
    assertThat(polling.gap(19)).isEqualTo(Polling.defaults().steady());
  }

  @Test
  void theGapNeverShrinksWhileNothingChanges() {
    Polling polling = Polling.defaults();

    for (int i = 0; i < 60; i++) {
      assertThat(polling.gap(i + 1)).isGreaterThanOrEqualTo(polling.gap(i));
    }
  }
}
