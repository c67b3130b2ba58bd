package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonValue;

/** Why a job that was deployed has to be brought back. */
public enum RecoveryCause {
  /** Its JobManager Deployment is gone. */
  JOB_MANAGER_MISSING("JobManagerMissing"),
  /** It is FAILED: its restart strategy gave up. */
  JOB_FAILED("JobFailed"),
  /** It restarts too often, or completes no checkpoints. */
  UNHEALTHY("Unhealthy");

  private final String wire;

  RecoveryCause(String wire) {
    this.wire = wire;
  }

  /** The spelling in manifests and in JSON. */
  @JsonValue
  public String wire() {
    return wire;
  }
}
