package dev.sluice.local.flink;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CountsTest {

  private static final Counts BEFORE = new Counts(500, 0, 0, 0, 10, 499);

  @Test
  void goingOnFromAtLeastWhatWasCountedIsRight() {
    assertThat(new Counts(900, 620, 0, 0, 10, 899).problemSince(BEFORE)).isEmpty();
  }

  @Test
  void lostElementsAreAProblem() {
    assertThat(new Counts(900, 620, 3, 0, 10, 899).problemSince(BEFORE))
        .hasValueSatisfying(problem -> assertThat(problem).contains("3 elements lost"));
  }

  @Test
  void doubledElementsAreAProblem() {
    assertThat(new Counts(900, 620, 0, 2, 10, 899).problemSince(BEFORE))
        .hasValueSatisfying(problem -> assertThat(problem).contains("2 counted twice"));
  }

  @Test
  void startingFromLessThanWasCountedIsAProblem() {
    assertThat(new Counts(900, 0, 0, 0, 10, 899).problemSince(BEFORE))
        .hasValueSatisfying(problem -> assertThat(problem).contains("state of 0 elements"));
  }
}
