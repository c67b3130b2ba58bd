package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.Savepoint;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which savepoint of a status goes next; each has its hour for a name. */
class StatusHistoryTest {

  private static final Instant MIDNIGHT = Instant.parse("2026-11-21T00:00:00Z");
  private static final Instant NOON = MIDNIGHT.plus(Duration.ofHours(12));

  private static StatusHistory judge(
      String hours, int count, @Nullable Duration age, String needed) {
    List<Savepoint> history =
        Arrays.stream(hours.split(" "))
            .map(
                it ->
                    new Savepoint(
                        MIDNIGHT.plus(Duration.ofHours(Long.parseLong(it))).toEpochMilli(),
                        it,
                        "MANUAL",
                        "NATIVE",
                        null))
            .toList();
    return StatusHistory.of(
        history,
        new HistoryLimits(count, age),
        it -> Set.of(needed.split(" ")).contains(it.location()),
        NOON);
  }

  @ParameterizedTest(name = "{0}: at most {1}, for {2} h, needed {3}: {4} goes")
  @CsvSource({
    "1 2 3, 3, 24, , ",
    "1 2 3, 2, 24, , 1",
    "1 2 3, 1, 24, , 1",
    "1 2 3, 0, 24, , 1", // at least one stays
    "3, 1, 1, , ", // also when it is old
    "1 2 11, 10, 10, , 1",
    "2 3 11, 10, 10, , 2",
    "3 4 11, 10, 10, , ",
    "1 2 3, 2, 24, 1, ", // FLINK-38033: it does not make room for another one, either
    "1 2 3 4, 2, 24, 1, 2",
  })
  void theOldestThatIsTooMuchAndNotNeeded(
      String hours, int count, int age, @Nullable String needed, @Nullable String goes) {
    StatusHistory judged =
        judge(hours, count, Duration.ofHours(age), needed == null ? "-" : needed);

    assertThat(judged.excess() == null ? null : judged.excess().location()).isEqualTo(goes);
  }

  @Test
  void itIsLookedAtAgainWhenTheNextOneBecomesTooOld() {
    assertThat(judge("3 4 11", 10, Duration.ofHours(10), "-").next())
        .isEqualTo(MIDNIGHT.plus(Duration.ofHours(13)));
    assertThat(judge("3 4 11", 10, null, "-").next()).isNull();
  }
}
