package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonValue;

/** Where the spec in {@code lastReconciledSpec} is on its way to the cluster. */
public enum ReconciliationState {
  /** {@code lastReconciledSpec} is what is deployed. */
  DEPLOYED("DEPLOYED"),

  /** {@code lastReconciledSpec} is being deployed. */
  UPGRADING("UPGRADING"),

  /** The way back to {@code lastStableSpec} has begun. */
  ROLLING_BACK("ROLLING_BACK"),

  /** {@code lastStableSpec} is what is deployed, because {@code lastReconciledSpec} failed. */
  ROLLED_BACK("ROLLED_BACK");

  private final String wire;

  ReconciliationState(String wire) {
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
