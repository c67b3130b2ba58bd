package dev.sluice.activities.async;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.support.TestClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ThrottleTest {

  private final TestClock clock = new TestClock();
  private final Throttle twoSeconds = new Throttle(clock, Duration.ofSeconds(2));

  @Test
  void isDueTheFirstTime() {
    assertThat(twoSeconds.isDue()).isTrue();
  }

  @Test
  void isNotDueAgainBeforeTheGapIsOver() {
    twoSeconds.isDue();
    clock.advance(Duration.ofMillis(1_999));

    assertThat(twoSeconds.isDue()).isFalse();
  }

  @Test
  void isDueAgainWhenTheGapIsOver() {
    twoSeconds.isDue();
    clock.advance(Duration.ofSeconds(2));

    assertThat(twoSeconds.isDue()).isTrue();
    assertThat(twoSeconds.isDue()).isFalse();
  }
}
