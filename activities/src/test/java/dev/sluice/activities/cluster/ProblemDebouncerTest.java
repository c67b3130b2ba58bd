package dev.sluice.activities.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.support.TestClock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProblemDebouncerTest {

  private static final PodProblem IMAGE = new PodProblem("ErrImagePull", "no image", true);
  private static final PodProblem BACK_OFF = new PodProblem("ImagePullBackOff", "waits", true);
  private static final PodProblem FULL = new PodProblem("Unschedulable", "full", false);

  private final TestClock clock = new TestClock();
  private final ProblemDebouncer lasting = new ProblemDebouncer(clock);

  @Test
  void aProblemCountsWhenItStays() {
    assertThat(lasting.in(List.of(IMAGE))).isEmpty();
    clock.advance(Duration.ofSeconds(9));
    assertThat(lasting.in(List.of(IMAGE))).isEmpty();
    clock.advance(Duration.ofSeconds(1));

    assertThat(lasting.in(List.of(BACK_OFF))).contains(BACK_OFF);
  }

  @Test
  void aProblemThatPassedStartsAnew() {
    lasting.in(List.of(IMAGE));
    clock.advance(Duration.ofSeconds(9));
    lasting.in(List.of());
    clock.advance(Duration.ofSeconds(9));

    assertThat(lasting.in(List.of(IMAGE))).isEmpty();
  }

  @Test
  void whatMaySolveItselfNeverCounts() {
    lasting.in(List.of(FULL));
    clock.advance(Duration.ofHours(1));

    assertThat(lasting.in(List.of(FULL))).isEmpty();
  }
}
