package dev.sluice.activities.flink;

/** What became of a triggered checkpoint. */
public sealed interface CheckpointOperation {

  record InProgress() implements CheckpointOperation {}

  /** Taken; its path is in {@link Checkpoints} under this id. */
  record Completed(long checkpointId) implements CheckpointOperation {}

  /** Not taken; the job was left as it was. */
  record Failed(FlinkCause cause) implements CheckpointOperation {}

  /** Never triggered there, or forgotten with the JobManager's memory. */
  record Unknown() implements CheckpointOperation {}
}
