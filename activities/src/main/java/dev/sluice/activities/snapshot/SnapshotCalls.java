package dev.sluice.activities.snapshot;

import dev.sluice.activities.flink.Answers;
import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.SavepointFormat;
import dev.sluice.activities.flink.Triggered;
import dev.sluice.api.common.CheckpointType;
import dev.sluice.api.snapshot.SavepointFormatType;
import dev.sluice.api.snapshot.SavepointSpec;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The calls to Flink for one snapshot.
 *
 * @param flink the client
 * @param endpoint of the cluster
 * @param jobId the job
 * @param savepoint what the spec says; null for a checkpoint
 * @param checkpoint kind of the checkpoint
 */
record SnapshotCalls(
    FlinkRest flink,
    Endpoint endpoint,
    String jobId,
    @Nullable SavepointSpec savepoint,
    CheckpointType checkpoint) {

  /** {@code savepoint} or {@code checkpoint}. */
  String what() {
    return savepoint == null ? "checkpoint" : "savepoint";
  }

  /** Whether it takes one of the limited savepoint slots. Flink queues the checkpoints of a job. */
  boolean takesSlot() {
    return savepoint != null;
  }

  TakenSnapshot status(String triggerId) {
    return savepoint == null
        ? TakenSnapshot.of(Answers.await(flink.checkpointStatus(endpoint, jobId, triggerId)))
        : TakenSnapshot.of(Answers.await(flink.savepointStatus(endpoint, jobId, triggerId)));
  }

  Triggered trigger(String triggerId) {
    if (savepoint == null) {
      return Answers.await(flink.triggerCheckpoint(endpoint, jobId, triggerId, checkpoint));
    }
    return Answers.await(
        flink.triggerSavepoint(
            endpoint,
            jobId,
            triggerId,
            // null: where the cluster is configured to put them
            savepoint.pathOrNull(),
            savepoint.format() == SavepointFormatType.NATIVE
                ? SavepointFormat.NATIVE
                : SavepointFormat.CANONICAL));
  }

  /** Where a checkpoint is; empty when Flink does not tell (yet). */
  Optional<String> path(long checkpointId) {
    return Answers.await(flink.completedCheckpoint(endpoint, jobId, checkpointId))
        .flatMap(Checkpoints.Completed::externalPath);
  }
}
