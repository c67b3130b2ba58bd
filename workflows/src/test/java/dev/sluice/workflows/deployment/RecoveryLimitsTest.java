package dev.sluice.workflows.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.RecoveryCause;
import dev.sluice.api.common.RecoveryStatus;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecoveryLimitsTest {

  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

  @ParameterizedTest(name = "{0} attempts, up since {1}: {2} count")
  @CsvSource({
    "1, 2026-11-21T09:59:00Z, 1",
    "4, 2026-11-21T09:30:01Z, 4",
    "4, 2026-11-21T09:30:00Z, 0",
    "5, 2026-11-20T10:00:00Z, 0",
    "5,                     , 5",
  })
  void attemptsCountUntilTheJobWasStableForHalfAnHour(int attempts, String since, int expected) {
    RecoveryStatus before = new RecoveryStatus(attempts, since, RecoveryCause.JOB_FAILED);

    assertThat(RecoveryLimits.counted(before, NOW.toEpochMilli())).isEqualTo(expected);
  }

  @Test
  void aJobThatWasNeverBroughtBackHasNoAttempts() {
    assertThat(RecoveryLimits.counted(null, NOW.toEpochMilli())).isZero();
    assertThat(RecoveryLimits.counted(new RecoveryStatus(null, null, null), NOW.toEpochMilli()))
        .isZero();
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 10", "2, 20", "3, 40", "4, 80"})
  void theFirstAttemptIsMadeAtOnceAndEachFurtherOneLater(int attempts, long seconds) {
    assertThat(RecoveryLimits.pauseAfter(attempts)).isEqualTo(Duration.ofSeconds(seconds));
  }
}
