package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonValue;

/** How the state of a running job is carried over when its spec changes. */
public enum UpgradeMode {
  /** Stop the job with a savepoint and start the new one from it. */
  SAVEPOINT("savepoint"),

  /** Start the new job from the newest checkpoint or savepoint that can be found. */
  LAST_STATE("last-state"),

  /** Throw the state away and start empty. */
  STATELESS("stateless");

  private final String wire;

  UpgradeMode(String wire) {
    this.wire = wire;
  }

  /** The spelling in manifests and in JSON. */
  @JsonValue
  @Override
  public String toString() {
    return wire;
  }
}
