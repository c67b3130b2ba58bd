package dev.sluice.activities.flink;

import java.time.Instant;
import java.util.Optional;

/**
 * {@code GET /jobs/:id/checkpoints}: how many, and the latest of each kind. {@code restored} is the
 * proof of what a job started from; it appears up to {@code web.refresh-interval} late. {@code
 * pendingSince} is when the newest checkpoint in progress was triggered, {@code savepointSince}
 * when the newest savepoint in progress was that does not stop the job.
 */
public record Checkpoints(
    Counts counts,
    Optional<Completed> latestCompleted,
    Optional<Completed> latestSavepoint,
    Optional<Restored> latestRestored,
    Optional<Instant> pendingSince,
    Optional<Instant> savepointSince) {

  /** Numbers since the JobManager started; {@code restored} counts restarts with state too. */
  public record Counts(long completed, long failed, long restored) {}

  public enum Kind {
    CHECKPOINT,
    /** A savepoint after which the job went on. */
    SAVEPOINT,
    /** The savepoint that the job was stopped with. */
    STOP_SAVEPOINT
  }

  /**
   * A finished checkpoint or savepoint.
   *
   * @param id counts up over all of a job's checkpoints and savepoints
   * @param externalPath where it is; empty when it has no pointer outside Flink
   * @param discarded whether Flink has deleted its files already
   * @param completedAt when the last task acknowledged it; empty when Flink does not say
   */
  public record Completed(
      long id,
      Kind kind,
      Optional<String> externalPath,
      boolean discarded,
      Instant triggeredAt,
      Optional<Instant> completedAt) {

    public Completed(
        long id, Kind kind, Optional<String> externalPath, boolean discarded, Instant triggeredAt) {
      this(id, kind, externalPath, discarded, triggeredAt, Optional.empty());
    }
  }

  /** A checkpoint that failed, and Flink's words for it, shortened. */
  public record Failed(long id, boolean savepoint, String message, Instant triggeredAt) {}

  /** What the job was last restored from. */
  public record Restored(
      long id, boolean savepoint, Optional<String> externalPath, Instant restoredAt) {}
}
