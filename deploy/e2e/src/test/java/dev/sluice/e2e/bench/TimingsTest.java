package dev.sluice.e2e.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class TimingsTest {

  @Test
  void theMedianOfAnOddNumberIsTheOneInTheMiddle() {
    assertThat(Timings.median(List.of(9.0, 1.0, 2.0))).isEqualTo(2.0);
  }

  @Test
  void theMedianOfAnEvenNumberIsTheMeanOfTheTwoInTheMiddle() {
    assertThat(Timings.median(List.of(4.0, 100.0, 1.0, 2.0))).isEqualTo(3.0);
  }

  @Test
  void ofNothingThereIsNoMedian() {
    assertThatThrownBy(() -> Timings.median(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
