package dev.sluice.controller.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Many runs on a shard of Temporal that does not answer, and nobody else asks for anything. */
class TemporalGateTest {

  private static final Duration PAUSE = Duration.ofSeconds(5);
  private static final int DEADLINE_S = 5;
  private static final int AN_HOUR = 3_600;

  private final TemporalGate gate = new TemporalGate(PAUSE, Duration.ofSeconds(70));
  private final Map<String, Instant> underWay = new HashMap<>();
  private final Map<String, Instant> tried = new HashMap<>();
  private final Map<String, Integer> tries = new HashMap<>();
  private final Deque<String> woken = new ArrayDeque<>();
  private Duration longestPause = Duration.ZERO;
  private Instant now = Instant.parse("2026-11-21T10:00:00Z");

  @ParameterizedTest(name = "{0} runs: each after {1} s at most")
  @CsvSource({"1, 10", "10, 60", "60, 310"})
  void each_is_tried_in_turn(int runs, int atMostSeconds) {
    for (int second = 0; second < AN_HOUR; second++) {
      failWhatIsDue();
      if (second % PAUSE.toSeconds() == 0) {
        IntStream.range(0, runs).forEach(i -> comes("run-" + i));
      }
      now = now.plusSeconds(1);
    }

    assertThat(longestPause).isLessThanOrEqualTo(Duration.ofSeconds(atMostSeconds));
    assertThat(tries).hasSize(runs);
    int most = tries.values().stream().mapToInt(Integer::intValue).max().orElseThrow();
    assertThat(tries.values()).allSatisfy(times -> assertThat(times).isBetween(most - 1, most));
  }

  @Test
  void a_call_that_took_longer_than_silence_is_taken_for_granted_shuts_it_all_the_same() {
    Instant began = now;
    now = now.plusSeconds(80);

    assertThat(gate.silent("run-1", "silent", began, now)).isTrue();

    assertThat(gate.shut(now)).isEqualTo("silent");
    assertThat(gate.shut(now.plusSeconds(70))).isNull();
  }

  private void failWhatIsDue() {
    Map<String, Instant> ended = new HashMap<>(underWay);
    ended.values().removeIf(began -> now.isBefore(began.plusSeconds(DEADLINE_S)));
    ended.forEach((who, began) -> assertThat(gate.silent(who, "silent", began, now)).isTrue());
    underWay.keySet().removeAll(ended.keySet());
  }

  /** As the dispatcher does it: who may not go wakes the one whose turn it is. */
  private void comes(String who) {
    if (underWay.containsKey(who)) {
      return;
    }
    if (gate.admits(who, now)) {
      begin(who);
      return;
    }
    gate.waits(who, () -> woken.add(who));
    gate.insteadOf(who, now).ifPresent(Runnable::run);
    while (!woken.isEmpty()) {
      comes(woken.remove());
    }
  }

  private void begin(String who) {
    underWay.put(who, now);
    tries.merge(who, 1, Integer::sum);
    Instant before = tried.put(who, now);
    if (before != null) {
      Duration pause = Duration.between(before, now);
      longestPause = pause.compareTo(longestPause) > 0 ? pause : longestPause;
    }
  }
}
