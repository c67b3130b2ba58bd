package dev.sluice.api.snapshot;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;

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

  /**
   * The one that is spelled so.
   *
   * @throws IllegalArgumentException for a kind that runs no job
   */
  public static JobKind of(String wire) {
    return Arrays.stream(values())
        .filter(it -> it.wire.equals(wire))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(wire + " runs no job"));
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
