package dev.sluice.workflows.deployment;

import dev.sluice.api.common.RecoveryStatus;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How often a job is brought back by itself: a job that fails soon after each start must not be
 * restarted for ever. Pure.
 */
final class RecoveryLimits {

  /** Number of attempts, until the job was stable for {@link #WINDOW}. */
  static final int MOST = 5;

  /** A job that was up for so long after the last attempt begins the count anew. */
  static final Duration WINDOW = Duration.ofMinutes(30);

  /** Before the second attempt; doubled before each further one. */
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(10);

  private RecoveryLimits() {}

  /**
   * How many attempts count.
   *
   * @param before what the status says; null when it says nothing
   * @param nowMs the job was seen lost, ms since the epoch
   */
  static int counted(@Nullable RecoveryStatus before, long nowMs) {
    if (before == null || before.attempts() == null) {
      return 0;
    }
    String since = before.since();
    boolean stable =
        since != null && !Instant.ofEpochMilli(nowMs).isBefore(Instant.parse(since).plus(WINDOW));
    return stable ? 0 : before.attempts();
  }

  /** How long to wait after that number of attempts. */
  static Duration pauseAfter(int attempts) {
    return attempts == 0 ? Duration.ZERO : FIRST_PAUSE.multipliedBy(1L << (attempts - 1));
  }
}
