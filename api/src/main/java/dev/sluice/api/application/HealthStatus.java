package dev.sluice.api.application;

import com.fasterxml.jackson.annotation.JsonValue;

/** How a cluster or a job is, in Lyft's words. */
public enum HealthStatus {
  /** All is well. */
  GREEN("Green"),

  /** Something is missing: not every TaskManager answers, not every task runs. */
  YELLOW("Yellow"),

  /** It does not answer, or does not run. */
  RED("Red");

  private final String wire;

  HealthStatus(String wire) {
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
