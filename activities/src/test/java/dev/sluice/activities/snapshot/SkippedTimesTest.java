package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SkippedTimesTest {

  @ParameterizedTest
  @CsvSource({
    ", 1, skipped: why",
    "made FlinkStateSnapshot x, 1, skipped: why",
    "ended: it asks for none, 1, skipped: why",
    "skipped: the job is RESTARTING, 2, skipped 2 times in a row: why",
    "skipped 9 times in a row: it is suspended, 10, skipped 10 times in a row: why"
  })
  void theResultOfTheRunBeforeSaysHowOftenItWasSkipped(String before, int count, String result) {
    SkippedTimes times = SkippedTimes.after(before);

    assertThat(times.count()).isEqualTo(count);
    assertThat(times.result("why")).isEqualTo(result);
  }

  @Test
  void itIsToldLessAndLessOften() {
    List<Integer> told =
        IntStream.rangeClosed(1, 100).filter(it -> new SkippedTimes(it).isTold()).boxed().toList();

    assertThat(told).containsExactly(3, 6, 12, 24, 48, 96);
  }
}
