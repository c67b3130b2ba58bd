package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.support.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SharedLooksTest {

  private final TestClock clock = new TestClock();
  private final List<String> asked = new ArrayList<>();
  private CompletableFuture<String> answer = CompletableFuture.completedFuture("seen");
  private final SharedLooks<String, String> looks =
      new SharedLooks<>(
          thing -> {
            asked.add(thing);
            return answer;
          },
          clock);

  @Test
  void allWhoAskInASecondGetTheSameAnswer() {
    for (int i = 0; i < 200; i++) {
      assertThat(looks.at("orders")).isCompletedWithValue("seen");
    }
    clock.advance(Duration.ofMillis(999));
    looks.at("orders");

    assertThat(asked).hasSize(1);
  }

  @Test
  void afterASecondItIsLookedAtAgain() {
    looks.at("orders");
    clock.advance(SharedLooks.SHORTEST);
    looks.at("orders");

    assertThat(asked).hasSize(2);
  }

  @Test
  void aLookThatIsUnderWayIsSharedHoweverLongItTakes() {
    answer = new CompletableFuture<>();
    looks.at("orders");
    clock.advance(Duration.ofMinutes(1));
    CompletableFuture<String> second = looks.at("orders");
    answer.complete("late");

    assertThat(second).isCompletedWithValue("late");
    assertThat(asked).hasSize(1);
  }

  @Test
  void whoGivesUpDoesNotEndTheLookOfTheOthers() {
    answer = new CompletableFuture<>();
    CompletableFuture<String> first = looks.at("orders");
    CompletableFuture<String> second = looks.at("orders");
    first.cancel(true);
    answer.complete("seen");

    assertThat(second).isCompletedWithValue("seen");
  }

  @Test
  void noAnswerIsSharedToo() {
    answer = CompletableFuture.failedFuture(new IllegalStateException("away"));

    assertThat(looks.at("orders")).isCompletedExceptionally();
    assertThat(looks.at("orders")).isCompletedExceptionally();
    assertThat(asked).hasSize(1);
  }

  /** The budget in docs/snapshots.md. */
  @ParameterizedTest
  @CsvSource({"1, 60", "20, 1200", "25, 1500", "250, 1500", "1000, 6000"})
  void allTogetherAreLookedAtTwentyFiveTimesASecondOrEachOnceInTenSeconds(int things, int most) {
    for (int tenths = 0; tenths < 600; tenths++) {
      for (int thing = 0; thing < things; thing++) {
        looks.at("orders-" + thing);
      }
      clock.advance(Duration.ofMillis(100));
    }

    assertThat(asked.size()).isBetween(most / 2, most + 2 * things);
  }
}
