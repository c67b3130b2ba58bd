package dev.sluice.activities.job;

import java.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * A time that stands still while Flink gives no answer: nothing is known of the job then, so no
 * patience is used up.
 */
final class AnsweredTime {

  private final Clock clock;
  private long silentMs;
  private @Nullable Long askedAtMs;

  AnsweredTime(Clock clock) {
    this.clock = clock;
  }

  /** Flink is asked, for the first time or again because it gave no answer. */
  void asked() {
    if (askedAtMs == null) {
      askedAtMs = clock.millis();
    }
  }

  /** All that was asked is answered. */
  void answered() {
    silentMs = silentMs();
    askedAtMs = null;
  }

  /** How long Flink has given no answer until now, in ms; 0 once it has. */
  long unansweredMs() {
    Long since = askedAtMs;
    return since == null ? 0 : clock.millis() - since;
  }

  /** How long Flink was silent in all until now, in ms. */
  long silentMs() {
    Long since = askedAtMs;
    return since == null ? silentMs : silentMs + clock.millis() - since;
  }

  /** The time, ms since the epoch, less what Flink was silent. */
  long nowMs() {
    return clock.millis() - silentMs();
  }
}
