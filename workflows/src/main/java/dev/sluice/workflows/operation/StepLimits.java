package dev.sluice.workflows.operation;

import java.time.Duration;

/**
 * How long the waits of an operation may take. A cluster that starts has the limit that its spec
 * says.
 */
public final class StepLimits {

  /** How long a job may take to settle: a JobManager that restarts, a job that recovers. */
  public static final Duration PATIENCE = Duration.ofSeconds(60);

  /** How long a cancelled job may take to end; its tasks may be slow to close. */
  public static final Duration CANCEL = Duration.ofMinutes(3);

  /** How long the pods of a cluster may take to go: graceful shutdown and the garbage collector. */
  public static final Duration GONE = Duration.ofMinutes(5);

  /** Flink ends a savepoint at its own timeout; this much later there is no result any more. */
  private static final Duration AFTER_SAVEPOINT = Duration.ofMinutes(1);

  private StepLimits() {}

  /**
   * How long stopping a job with a savepoint may take, over all its attempts.
   *
   * @param timeoutMs the running job's own limit for one savepoint, in ms
   */
  public static Duration savepoint(long timeoutMs) {
    return Duration.ofMillis(timeoutMs).plus(AFTER_SAVEPOINT);
  }
}
