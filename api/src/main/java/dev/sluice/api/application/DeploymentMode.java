package dev.sluice.api.application;

import com.fasterxml.jackson.annotation.JsonValue;

/** How one version of an application takes the place of another. */
public enum DeploymentMode {
  /** The new cluster is started next to the old one, then the job moves over. */
  DUAL("Dual"),

  /** The job of the new version runs next to that of the old one until either is torn down. */
  BLUE_GREEN("BlueGreen");

  private final String wire;

  DeploymentMode(String wire) {
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
