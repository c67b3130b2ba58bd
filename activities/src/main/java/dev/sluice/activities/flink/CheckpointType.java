package dev.sluice.activities.flink;

/** Kind of a triggered checkpoint. */
public enum CheckpointType {
  /** What the job is configured for. */
  CONFIGURED,
  /** One that shares no file with earlier checkpoints. */
  FULL,
  /** From 1.19 on Flink answers with a 500 (FLINK-33723). */
  INCREMENTAL
}
