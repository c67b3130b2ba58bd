package dev.sluice.activities.flink;

/** Kind of a triggered checkpoint. Flink's INCREMENTAL fails with a 500 (FLINK-33723). */
public enum CheckpointType {
  /** What the job is configured for. */
  CONFIGURED,
  /** One that shares no file with earlier checkpoints. */
  FULL
}
