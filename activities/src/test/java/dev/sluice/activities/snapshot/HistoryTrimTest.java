package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.Savepoint;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which savepoint of a status goes next; each has its hour for a name. */
class HistoryTrimTest {

  private static final Instant MIDNIGHT = Instant.parse("2026-11-21T00:00:00Z");
  private static final Instant NOON = MIDNIGHT.plus(Duration.ofHours(12));

  @ParameterizedTest(name = "{0}: at most {1}, for {2} h: {3} goes")
  @CsvSource({
    "1 2 3, 3, 24, ",
    "1 2 3, 2, 24, 1",
    "1 2 3, 1, 24, 1",
    "1 2 3, 0, 24, 1", // at least one stays
    "3, 1, 1, ", // also when it is old
    "1 2 11, 10, 10, 1",
    "3 4 11, 10, 10, ",
  })
  void theOldestThatIsTooMuch(String hours, int count, int age, @Nullable String goes) {
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
    HistoryTrim trim =
        new HistoryTrim(
            history,
            new HistoryLimits(count, Duration.ofHours(age)),
            NOON,
            path -> {
              throw new AssertionError("nothing is disposed of");
            },
            (path, disposal) -> {});

    assertThat(trim.next().orElse(null)).isEqualTo(goes);
  }
}
