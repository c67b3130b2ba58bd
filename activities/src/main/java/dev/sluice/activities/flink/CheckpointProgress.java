package dev.sluice.activities.flink;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Whether the state of a job is saved, by {@code GET /jobs/:id/checkpoints}.
 *
 * @param stateSize of the newest completed checkpoint or savepoint, in bytes; empty as long as
 *     there is none
 * @param completedAt when that was triggered
 * @param failedAt when each checkpoint after it was triggered that failed, as far as Flink
 *     remembers them (the last 10, by default), oldest first; without savepoints
 * @param why the last of these failed, shortened; empty when none did
 * @param restoredFrom what this JobManager restored the job from last; it knows of no checkpoint
 *     from before its start
 */
public record CheckpointProgress(
    OptionalLong stateSize,
    Optional<Instant> completedAt,
    List<Instant> failedAt,
    Optional<String> why,
    Optional<String> restoredFrom) {

  /** Of a job that has taken no checkpoint, or takes none. */
  public static final CheckpointProgress NONE =
      new CheckpointProgress(
          OptionalLong.empty(), Optional.empty(), List.of(), Optional.empty(), Optional.empty());

  public CheckpointProgress {
    failedAt = List.copyOf(failedAt);
  }
}
