package dev.sluice.controller.observation;

import dev.sluice.activities.flink.CheckpointProgress;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Checkpoints of a job that runs, which failed one after the other: its state is not saved.
 *
 * @param jobId the job
 * @param at when each was triggered, oldest first; as far as Flink remembers them
 * @param completedAt when the newest one was triggered that was completed; empty when none was
 *     since its JobManager was started
 * @param restoredFrom what that JobManager restored it from last; empty when it did not
 * @param why the last of them failed, shortened
 */
public record FailedCheckpoints(
    String jobId,
    List<Instant> at,
    Optional<Instant> completedAt,
    Optional<String> restoredFrom,
    String why) {

  /** One alone is usual after a restart, and with a slow storage. */
  private static final int IN_A_ROW = 2;

  public FailedCheckpoints {
    at = List.copyOf(at);
  }

  /** Empty while the newest, or the one before it, was completed. */
  static Optional<FailedCheckpoints> of(String jobId, CheckpointProgress progress) {
    return progress.failedAt().size() < IN_A_ROW
        ? Optional.empty()
        : Optional.of(
            new FailedCheckpoints(
                jobId,
                progress.failedAt(),
                progress.completedAt(),
                progress.restoredFrom(),
                progress.why().orElse("")));
  }
}
