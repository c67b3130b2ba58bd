package dev.sluice.activities.flink;

/** How Flink executes a job. */
public enum JobType {
  /** All tasks run at the same time. */
  STREAMING,
  /** Stage by stage; no checkpoints, no savepoints. */
  BATCH
}
