package dev.sluice.api.common;

/** Where the spec in {@code lastReconciledSpec} is on its way to the cluster. */
public enum ReconciliationState {
  /** {@code lastReconciledSpec} is what is deployed. */
  DEPLOYED,

  /** {@code lastReconciledSpec} is being deployed. */
  UPGRADING,

  /** The way back to {@code lastStableSpec} has begun. */
  ROLLING_BACK,

  /** {@code lastStableSpec} is what is deployed, because {@code lastReconciledSpec} failed. */
  ROLLED_BACK;

  /** Whether an operation was begun and not finished. */
  public boolean isBegun() {
    return this == UPGRADING || this == ROLLING_BACK;
  }
}
