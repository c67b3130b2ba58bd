package dev.sluice.activities.snapshot;

import dev.sluice.activities.flink.CheckpointOperation;
import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.SavepointFormat;
import dev.sluice.activities.flink.SavepointOperation;
import dev.sluice.activities.flink.Triggered;
import dev.sluice.api.snapshot.CheckpointSpec;
import dev.sluice.api.snapshot.FlinkStateSnapshotSpec;
import dev.sluice.api.snapshot.SavepointFormatType;
import dev.sluice.api.snapshot.SavepointSpec;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The calls to Flink for one snapshot. All but the trigger block.
 *
 * @param flink the client
 * @param endpoint of the cluster
 * @param jobId the job
 * @param spec what to take
 */
record SnapshotCalls(
    FlinkRest flink, Endpoint endpoint, String jobId, FlinkStateSnapshotSpec spec) {

  /** Flink's answer about a trigger. */
  sealed interface Progress {

    /** Still being taken. */
    record InProgress() implements Progress {}

    /**
     * Taken.
     *
     * @param path of a savepoint; null for a checkpoint, whose path is asked for by its id
     * @param checkpointId of a checkpoint; 0 for a savepoint
     */
    record Completed(@Nullable String path, long checkpointId) implements Progress {}

    /**
     * Not taken.
     *
     * @param why in words
     */
    record Failed(String why) implements Progress {}

    /** The JobManager knows no such trigger. */
    record Unknown() implements Progress {}
  }

  /** {@code savepoint} or {@code checkpoint}. */
  String what() {
    return isSavepoint() ? "savepoint" : "checkpoint";
  }

  /** Savepoints take one of the limited slots; Flink queues the checkpoints of a job itself. */
  boolean isSavepoint() {
    return spec.savepoint() != null;
  }

  Progress progress(String triggerId) {
    return isSavepoint()
        ? of(flink.savepointStatus(endpoint, jobId, triggerId))
        : of(flink.checkpointStatus(endpoint, jobId, triggerId));
  }

  private static Progress of(SavepointOperation operation) {
    if (operation instanceof SavepointOperation.Completed completed) {
      return new Progress.Completed(completed.location(), 0);
    }
    if (operation instanceof SavepointOperation.Failed failed) {
      return new Progress.Failed(failed.cause().summary());
    }
    return operation instanceof SavepointOperation.InProgress
        ? new Progress.InProgress()
        : new Progress.Unknown();
  }

  private static Progress of(CheckpointOperation operation) {
    if (operation instanceof CheckpointOperation.Completed completed) {
      return new Progress.Completed(null, completed.checkpointId());
    }
    if (operation instanceof CheckpointOperation.Failed failed) {
      return new Progress.Failed(failed.cause().summary());
    }
    return operation instanceof CheckpointOperation.InProgress
        ? new Progress.InProgress()
        : new Progress.Unknown();
  }

  Triggered trigger(String triggerId) {
    SavepointSpec savepoint = spec.savepoint();
    if (savepoint == null) {
      return flink.triggerCheckpoint(
          endpoint,
          jobId,
          triggerId,
          Objects.requireNonNullElseGet(spec.checkpoint(), CheckpointSpec::new).typeOrFull());
    }
    return flink.triggerSavepoint(
        endpoint,
        jobId,
        triggerId,
        // null: where the cluster is configured to put them
        savepoint.pathOrNull(),
        savepoint.format() == SavepointFormatType.NATIVE
            ? SavepointFormat.NATIVE
            : SavepointFormat.CANONICAL);
  }

  /** Where a checkpoint is; empty when Flink does not return it (yet). */
  Optional<String> path(long checkpointId) {
    return flink
        .completedCheckpoint(endpoint, jobId, checkpointId)
        .flatMap(Checkpoints.Completed::externalPath);
  }
}
