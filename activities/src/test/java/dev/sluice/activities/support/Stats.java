package dev.sluice.activities.support;

import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.Checkpoints.Completed;
import dev.sluice.activities.flink.Checkpoints.Kind;
import dev.sluice.activities.flink.Checkpoints.Restored;
import java.time.Instant;
import java.util.Optional;

/** Checkpoint statistics, put together in a line. */
public record Stats(
    Optional<Completed> completed,
    Optional<Completed> savepoint,
    Optional<Restored> restored,
    Optional<Instant> pending,
    Optional<Instant> saving) {

  public static Stats none() {
    return new Stats(
        Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** The newest one is this. */
  public Stats newest(Completed some) {
    return new Stats(Optional.of(some), savepoint, restored, pending, saving);
  }

  public Stats checkpoint(long id, String path) {
    return newest(state(id, Kind.CHECKPOINT, path, false));
  }

  public Stats discardedCheckpoint(long id, String path) {
    return newest(state(id, Kind.CHECKPOINT, path, true));
  }

  public Stats savepoint(long id, String path) {
    return savepoint(state(id, Kind.SAVEPOINT, path, false));
  }

  /** The savepoint that the job was stopped with. */
  public Stats stopped(long id, String path) {
    return savepoint(state(id, Kind.STOP_SAVEPOINT, path, false));
  }

  private Stats savepoint(Completed some) {
    return new Stats(completed, Optional.of(some), restored, pending, saving);
  }

  /** Restored from a checkpoint. */
  public Stats restoredCheckpoint(String path) {
    return restored(path, false);
  }

  public Stats restored(String path) {
    return restored(path, true);
  }

  private Stats restored(String path, boolean fromSavepoint) {
    Restored from = new Restored(1, fromSavepoint, Optional.of(path), Instant.EPOCH);
    return new Stats(completed, savepoint, Optional.of(from), pending, saving);
  }

  /** A checkpoint is in progress. */
  public Stats pendingSince(Instant time) {
    return new Stats(completed, savepoint, restored, Optional.of(time), saving);
  }

  /** A savepoint is in progress. */
  public Stats savingSince(Instant time) {
    return new Stats(completed, savepoint, restored, pending, Optional.of(time));
  }

  public Checkpoints build() {
    return new Checkpoints(
        new Checkpoints.Counts(0, 0, 0), completed, savepoint, restored, pending, saving);
  }

  private static Completed state(long id, Kind kind, String path, boolean discarded) {
    return new Completed(
        id, kind, Optional.of(path).filter(it -> it.contains("/")), discarded, Instant.EPOCH);
  }
}
