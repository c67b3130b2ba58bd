package dev.sluice.local.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.local.flink.Counts;
import org.junit.jupiter.api.Test;

class CountCheckTest {

  private static final Counts BEFORE = new Counts(500, 0, 0, 0, 10, 499);

  @Test
  void goingOnFromAtLeastWhatWasCountedIsRight() {
    assertThat(CountCheck.problem(BEFORE, new Counts(900, 620, 0, 0, 10, 899))).isEmpty();
  }

  @Test
  void lostElementsAreAProblem() {
    assertThat(CountCheck.problem(BEFORE, new Counts(900, 620, 3, 0, 10, 899)))
        .hasValueSatisfying(problem -> assertThat(problem).contains("3 elements lost"));
  }

  @Test
  void doubledElementsAreAProblem() {
    assertThat(CountCheck.problem(BEFORE, new Counts(900, 620, 0, 2, 10, 899)))
        .hasValueSatisfying(problem -> assertThat(problem).contains("2 counted twice"));
  }

  @Test
  void startingFromLessThanWasCountedIsAProblem() {
    assertThat(CountCheck.problem(BEFORE, new Counts(900, 0, 0, 0, 10, 899)))
        .hasValueSatisfying(problem -> assertThat(problem).contains("state of 0 elements"));
  }
}
