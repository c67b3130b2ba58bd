package dev.sluice.activities.job;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Waits out a cache of Flink's: what it tells of a job is known to be up to date once the job has
 * been seen in the same situation for longer than the cache keeps anything.
 */
public final class SettleTimer {

  private static final Duration SLACK = Duration.ofMillis(300);

  private final Clock clock;
  private final Duration age;
  private @Nullable Instant since;

  /**
   * @param age how long the cache keeps an answer
   */
  public SettleTimer(Clock clock, Duration age) {
    this.clock = clock;
    this.age = age.plus(SLACK);
  }

  /** The situation is (still) there; true once it has been for long enough. */
  public boolean reached() {
    Instant now = clock.instant();
    if (since == null) {
      since = now;
    }
    return !now.isBefore(since.plus(age));
  }

  public void reset() {
    since = null;
  }
}
