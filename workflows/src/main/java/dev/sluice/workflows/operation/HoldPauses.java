package dev.sluice.workflows.operation;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How long a held run waits until it looks again: longer each time while the reason stays. */
final class HoldPauses {

  private static final Duration BLOCKED_FIRST = Duration.ofSeconds(5);
  private static final Duration PARKED_FIRST = Duration.ofSeconds(30);
  private static final Duration LONGEST = Duration.ofMinutes(10);

  private @Nullable String reason;
  private Duration next = BLOCKED_FIRST;

  Duration next(StepFailure why) {
    if (!why.type().equals(reason)) {
      reason = why.type();
      next = why.mayPass() ? BLOCKED_FIRST : PARKED_FIRST;
    }
    Duration now = next;
    Duration doubled = now.multipliedBy(2);
    next = doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
    return now;
  }

  void reset() {
    reason = null;
  }
}
