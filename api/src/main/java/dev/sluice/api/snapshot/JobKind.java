package dev.sluice.api.snapshot;

import com.fasterxml.jackson.annotation.JsonValue;

/** What kind of resource runs the job. */
public enum JobKind {
  /** An application cluster. */
  FLINK_DEPLOYMENT("FlinkDeployment"),
  /** A job on a session cluster. */
  FLINK_SESSION_JOB("FlinkSessionJob");

  private final String wire;

  JobKind(String wire) {
    this.wire = wire;
  }

  /** The spelling in manifests and in JSON. */
  @JsonValue
  public String wire() {
    return wire;
  }

  @Override
  public String toString() {
    return wire;
  }
}
