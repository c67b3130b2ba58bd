package dev.sluice.activities.snapshot;

import dev.sluice.activities.flink.CheckpointOperation;
import dev.sluice.activities.flink.SavepointOperation;
import org.jspecify.annotations.Nullable;

/** What Flink says of a trigger, for savepoints and checkpoints alike. */
sealed interface TakenSnapshot {

  /** Still being taken. */
  record InProgress() implements TakenSnapshot {}

  /**
   * Taken.
   *
   * @param path of a savepoint; null for a checkpoint, whose path is asked for by its id
   * @param checkpointId of a checkpoint; 0 for a savepoint
   */
  record Completed(@Nullable String path, long checkpointId) implements TakenSnapshot {}

  /**
   * Not taken.
   *
   * @param why in words
   */
  record Failed(String why) implements TakenSnapshot {}

  /** The JobManager knows no such trigger, and so nothing of it is in progress there. */
  record Unknown() implements TakenSnapshot {}

  /** Of a savepoint. */
  static TakenSnapshot of(SavepointOperation operation) {
    if (operation instanceof SavepointOperation.Completed completed) {
      return new Completed(completed.location(), 0);
    }
    if (operation instanceof SavepointOperation.Failed failed) {
      return new Failed(failed.cause().summary());
    }
    return operation instanceof SavepointOperation.InProgress ? new InProgress() : new Unknown();
  }

  /** Of a checkpoint. */
  static TakenSnapshot of(CheckpointOperation operation) {
    if (operation instanceof CheckpointOperation.Completed completed) {
      return new Completed(null, completed.checkpointId());
    }
    if (operation instanceof CheckpointOperation.Failed failed) {
      return new Failed(failed.cause().summary());
    }
    return operation instanceof CheckpointOperation.InProgress ? new InProgress() : new Unknown();
  }
}
