package dev.sluice.workflows.operation;

import java.time.Duration;
import java.util.Optional;

/**
 * How long the waits of an operation may take before they are given up, which parks the run. A
 * cluster that starts has the limit that its spec says, see {@code
 * FrozenTarget.readinessTimeoutMs}.
 */
public final class StepLimits {

  /** How long a cancelled job may take to end; its tasks may be slow to close. */
  public static final Duration CANCEL = Duration.ofMinutes(3);

  /** How long the pods of a cluster may take to go: graceful shutdown and the garbage collector. */
  public static final Duration GONE = Duration.ofMinutes(5);

  /** Flink ends a savepoint at its own timeout; this much later nothing more is to be expected. */
  private static final Duration AFTER_SAVEPOINT = Duration.ofMinutes(1);

  private StepLimits() {}

  /**
   * How long stopping a job with a savepoint may take, over all its attempts.
   *
   * @param timeoutMs Flink's own limit for one savepoint, in ms
   */
  public static Duration savepoint(long timeoutMs) {
    return Duration.ofMillis(timeoutMs).plus(AFTER_SAVEPOINT);
  }

  /**
   * The limit of the step that follows a frozen target; empty when it is a short effect.
   *
   * @param step its title
   * @param savepointTimeoutMs Flink's own limit for one savepoint, in ms
   */
  public static Optional<Duration> afterFreeze(String step, long savepointTimeoutMs) {
    if (step.equals(Step.STOP_WITH_SAVEPOINT.title())) {
      return Optional.of(savepoint(savepointTimeoutMs));
    }
    return step.equals(Step.CANCEL_JOB.title()) ? Optional.of(CANCEL) : Optional.empty();
  }
}
