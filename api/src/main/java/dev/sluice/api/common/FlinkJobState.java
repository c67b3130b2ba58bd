package dev.sluice.api.common;

/**
 * Flink's own word for the state of a job, as its REST API gives it (Flink's {@code JobStatus}).
 */
public enum FlinkJobState {
  /** Received; its scheduler is not set up yet. */
  INITIALIZING,

  /** Set up; no task has started. */
  CREATED,

  /** Scheduled. Not every task need run yet: look at the tasks too. */
  RUNNING,

  /** Failed; its tasks are being cancelled. */
  FAILING,

  /** Failed permanently. */
  FAILED,

  /** Being cancelled. */
  CANCELLING,

  /** Cancelled. */
  CANCELED,

  /** All its work is done, or it was stopped with a savepoint. */
  FINISHED,

  /** Failed; waits to start again. */
  RESTARTING,

  /** Its JobManager lost leadership; another may recover it from HA metadata. */
  SUSPENDED,

  /** Not known yet, for example because its JobManager does not answer. */
  RECONCILING;

  /** Whether the job is over permanently: Flink never leaves {@code FAILED, CANCELED, FINISHED}. */
  public boolean isGloballyTerminal() {
    return this == FAILED || this == CANCELED || this == FINISHED;
  }
}
