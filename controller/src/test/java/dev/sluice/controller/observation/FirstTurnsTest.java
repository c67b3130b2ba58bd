package dev.sluice.controller.observation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FirstTurnsTest {

  private static final Duration BETWEEN = PollInterval.defaults().turn();

  private final FirstTurns turns = new FirstTurns(BETWEEN, 0);

  @Test
  void one_that_comes_alone_need_not_wait() {
    assertThat(turns.waitFrom(5)).isZero();
  }

  @Test
  void a_fleet_that_comes_at_once_takes_the_budget_and_no_more() {
    Duration last =
        IntStream.range(0, 5_000).mapToObj(cluster -> turns.waitFrom(0)).toList().get(4_999);

    assertThat(last).isEqualTo(BETWEEN.multipliedBy(4_999));
  }

  @Test
  void a_calm_time_is_not_saved_up() {
    long later = Duration.ofHours(1).toNanos();

    assertThat(turns.waitFrom(later)).isZero();
    assertThat(turns.waitFrom(later)).isEqualTo(BETWEEN);
  }
}
