package dev.sluice.workflows.snapshot;

import java.time.Duration;

/** How long to wait after a failed attempt: 10 s, doubled each time, at most 10 min. */
final class AttemptPauses {

  static final Duration LONGEST = Duration.ofMinutes(10);
  private static final Duration FIRST = Duration.ofSeconds(10);
  private static final int DOUBLED_AT_MOST = 6;

  private AttemptPauses() {}

  /** The pause after that many failures, at least 1. */
  static Duration after(int failures) {
    Duration pause = FIRST.multipliedBy(1L << Math.min(failures - 1, DOUBLED_AT_MOST));
    return pause.compareTo(LONGEST) < 0 ? pause : LONGEST;
  }
}
