package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonValue;

/** How far an operation has come. */
public enum OperationState {
  /** Its steps are being carried out. */
  RUNNING("Running"),

  /** A step fails for a reason that may pass; it is tried again by itself. */
  BLOCKED("Blocked"),
  /** A step cannot succeed; it waits for retry, abort or a newer spec. */
  PARKED("Parked"),

  /** It reached its target. */
  SUCCEEDED("Succeeded"),

  /** It was called off and ended in a safe state. */
  ABORTED("Aborted"),

  /** It ended without reaching its target. */
  FAILED("Failed");

  private final String wire;

  OperationState(String wire) {
    this.wire = wire;
  }

  /** Whether the operation has not ended. */
  public boolean isOpen() {
    return this == RUNNING || this == BLOCKED || this == PARKED;
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
