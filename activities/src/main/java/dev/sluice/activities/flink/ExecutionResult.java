package dev.sluice.activities.flink;

import java.util.Optional;

/** How a job's execution ended, if it has. */
public sealed interface ExecutionResult {

  /** The job has not ended. */
  record InProgress() implements ExecutionResult {}

  /**
   * The job has ended.
   *
   * @param applicationStatus Flink's {@code SUCCEEDED}, {@code FAILED}, {@code CANCELED} or {@code
   *     UNKNOWN}
   * @param cause why it failed
   */
  record Completed(String applicationStatus, Optional<FlinkCause> cause)
      implements ExecutionResult {}
}
