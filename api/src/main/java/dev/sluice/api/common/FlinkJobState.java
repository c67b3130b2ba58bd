package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonValue;

/**
 * Flink's own word for the state of a job, as its REST API gives it (Flink's {@code JobStatus}).
 */
public enum FlinkJobState {
  /** Received; its scheduler is not set up yet. */
  INITIALIZING("INITIALIZING"),

  /** Set up; no task has started. */
  CREATED("CREATED"),

  /** Scheduled. Not every task need run yet: look at the tasks too. */
  RUNNING("RUNNING"),

  /** Failed; its tasks are being cancelled. */
  FAILING("FAILING"),

  /** Failed for good. */
  FAILED("FAILED"),

  /** Being cancelled. */
  CANCELLING("CANCELLING"),

  /** Cancelled. */
  CANCELED("CANCELED"),

  /** All its work is done, or it was stopped with a savepoint. */
  FINISHED("FINISHED"),

  /** Failed; waits to start again. */
  RESTARTING("RESTARTING"),

  /** Its JobManager lost leadership; another may recover it from HA metadata. */
  SUSPENDED("SUSPENDED"),

  /** Not known yet, for example because its JobManager does not answer. */
  RECONCILING("RECONCILING");

  private final String wire;

  FlinkJobState(String wire) {
    this.wire = wire;
  }

  /** The spelling in manifests and in JSON. */
  @JsonValue
  public String wire() {
    return wire;
  }

  /** Whether the job is over for good: Flink never leaves {@code FAILED, CANCELED, FINISHED}. */
  public boolean isGloballyTerminal() {
    return this == FAILED || this == CANCELED || this == FINISHED;
  }

  @Override
  public String toString() {
    return wire;
  }
}
