package dev.sluice.api.bluegreen;

import com.fasterxml.jackson.annotation.JsonValue;

/** Where the state of a new child's job comes from. */
public enum TransitionSource {
  /** A savepoint of the live job, which runs on. */
  SAVEPOINT("savepoint"),
  /** What the suspended live child, or its finished job, left; or a path that a person gave. */
  KNOWN("known"),
  /** What the spec names, or nothing: of the first deployment, and of a savepoint redeploy. */
  SPEC("spec"),
  /** Nowhere, whatever the spec names: the job starts without state. */
  EMPTY("empty");

  private final String wire;

  TransitionSource(String wire) {
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
