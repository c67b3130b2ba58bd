package dev.sluice.api.application;

import com.fasterxml.jackson.annotation.JsonValue;

/** What becomes of the job when its application is deleted. */
public enum DeleteMode {
  /** It is stopped with a savepoint. */
  SAVEPOINT("Savepoint"),

  /** It is cancelled. */
  FORCE_CANCEL("ForceCancel"),

  /** Nothing is asked of it: it goes with its cluster. */
  NONE("None");

  private final String wire;

  DeleteMode(String wire) {
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
