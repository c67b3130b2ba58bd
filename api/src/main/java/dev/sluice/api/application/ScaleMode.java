package dev.sluice.api.application;

import com.fasterxml.jackson.annotation.JsonValue;

/** What a higher parallelism is deployed to, where nothing else changes. */
public enum ScaleMode {
  /** To a new cluster, as any other change. */
  NEW_CLUSTER("NewCluster"),

  /** To the cluster that runs, which gets more TaskManagers. */
  IN_PLACE("InPlace");

  private final String wire;

  ScaleMode(String wire) {
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
