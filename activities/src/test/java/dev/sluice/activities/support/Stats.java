package dev.sluice.activities.support;

import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.Checkpoints.Completed;
import dev.sluice.activities.flink.Checkpoints.Kind;
import dev.sluice.activities.flink.Checkpoints.Restored;
import java.time.Instant;
import java.util.Optional;

/** Checkpoint statistics, put together in a line. */
public record Stats(
    Optional<Completed> completed, Optional<Completed> savepoint, Optional<Restored> restored) {

  public static Stats none() {
    return new Stats(Optional.empty(), Optional.empty(), Optional.empty());
  }

  public Stats checkpoint(long id, String path) {
    return new Stats(Optional.of(state(id, Kind.CHECKPOINT, path, false)), savepoint, restored);
  }

  public Stats discardedCheckpoint(long id, String path) {
    return new Stats(Optional.of(state(id, Kind.CHECKPOINT, path, true)), savepoint, restored);
  }

  public Stats savepoint(long id, String path) {
    return new Stats(completed, Optional.of(state(id, Kind.SAVEPOINT, path, false)), restored);
  }

  /** The savepoint that the job was stopped with. */
  public Stats stopped(long id, String path) {
    return new Stats(completed, Optional.of(state(id, Kind.STOP_SAVEPOINT, path, false)), restored);
  }

  /** Restored from a checkpoint. */
  public Stats restoredCheckpoint(String path) {
    return new Stats(
        completed,
        savepoint,
        Optional.of(new Restored(1, false, Optional.of(path), Instant.EPOCH)));
  }

  public Stats restored(String path) {
    return new Stats(
        completed, savepoint, Optional.of(new Restored(1, true, Optional.of(path), Instant.EPOCH)));
  }

  public Checkpoints build() {
    return new Checkpoints(
        new Checkpoints.Counts(0, 0, 0, 0, 0),
        completed,
        savepoint,
        Optional.empty(),
        restored,
        Optional.empty(),
        Optional.empty());
  }

  private static Completed state(long id, Kind kind, String path, boolean discarded) {
    return new Completed(id, kind, Optional.of(path), discarded, Instant.EPOCH);
  }
}
