package dev.sluice.activities.flink;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

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

  /** Flink's word for one after which the job goes on; its other is {@code SYNC_SAVEPOINT}. */
  private static final String AFTER_WHICH_IT_GOES_ON = "SAVEPOINT";

  private record Latest(
      @JsonProperty("completed") @Nullable Completed completed,
      @JsonProperty("savepoint") @Nullable Completed savepoint,
      @JsonProperty("restored") @Nullable Restored restored) {}

  private record Entry(
      @JsonProperty("status") @Nullable String status,
      @JsonProperty("is_savepoint") boolean savepoint,
      @JsonProperty("checkpoint_type") @Nullable String type,
      @JsonProperty(value = "trigger_timestamp", required = true) Instant triggeredAt) {}

  @JsonCreator
  static Checkpoints of(
      @JsonProperty(value = "counts", required = true) Counts counts,
      @JsonProperty(value = "latest", required = true) Latest latest,
      @JsonProperty("history") @Nullable List<Entry> history) {
    List<Entry> entries = history == null ? List.of() : history;
    return new Checkpoints(
        counts,
        Optional.ofNullable(latest.completed),
        Optional.ofNullable(latest.savepoint),
        Optional.ofNullable(latest.restored),
        inProgress(entries, it -> !it.savepoint),
        inProgress(entries, it -> AFTER_WHICH_IT_GOES_ON.equals(it.type)));
  }

  private static Optional<Instant> inProgress(List<Entry> entries, Predicate<Entry> kind) {
    return entries.stream()
        .filter(it -> "IN_PROGRESS".equals(it.status))
        .filter(kind)
        .map(Entry::triggeredAt)
        .max(Comparator.naturalOrder());
  }

  /** Flink writes {@code <checkpoint-not-externally-addressable>} where it has none to give. */
  private static Optional<String> path(@Nullable String told) {
    return Optional.ofNullable(told).filter(it -> it.contains("/"));
  }

  /** Numbers since the JobManager started; {@code restored} counts restarts with state too. */
  public record Counts(
      @JsonProperty("completed") long completed,
      @JsonProperty("failed") long failed,
      @JsonProperty("restored") long restored) {}

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

    /** Of a Flink that does not say the type the path is worth keeping: it may be all there is. */
    @JsonCreator
    static Completed of(
        @JsonProperty("id") long id,
        @JsonProperty("is_savepoint") boolean savepoint,
        @JsonProperty("checkpoint_type") @Nullable String type,
        @JsonProperty("external_path") @Nullable String path,
        @JsonProperty("discarded") boolean discarded,
        @JsonProperty(value = "trigger_timestamp", required = true) Instant triggeredAt,
        @JsonProperty("latest_ack_timestamp") @Nullable Instant acknowledged) {
      Kind ofSavepoint = AFTER_WHICH_IT_GOES_ON.equals(type) ? Kind.SAVEPOINT : Kind.STOP_SAVEPOINT;
      return new Completed(
          id,
          savepoint ? ofSavepoint : Kind.CHECKPOINT,
          path(path),
          discarded,
          triggeredAt,
          // Flink says -1 where no task has acknowledged it
          Optional.ofNullable(acknowledged).filter(it -> !it.isBefore(triggeredAt)));
    }

    public Completed(
        long id, Kind kind, Optional<String> externalPath, boolean discarded, Instant triggeredAt) {
      this(id, kind, externalPath, discarded, triggeredAt, Optional.empty());
    }
  }

  /** What the job was last restored from. */
  public record Restored(
      long id, boolean savepoint, Optional<String> externalPath, Instant restoredAt) {

    @JsonCreator
    static Restored of(
        @JsonProperty("id") long id,
        @JsonProperty("is_savepoint") boolean savepoint,
        @JsonProperty("external_path") @Nullable String path,
        @JsonProperty(value = "restore_timestamp", required = true) Instant restoredAt) {
      return new Restored(id, savepoint, path(path), restoredAt);
    }
  }
}
