package dev.sluice.controller.common;

/** The three values of a condition. */
public enum ConditionStatus {
  TRUE("True"),
  FALSE("False"),
  UNKNOWN("Unknown");

  private final String wire;

  ConditionStatus(String wire) {
    this.wire = wire;
  }

  /** The spelling in JSON. */
  public String wire() {
    return wire;
  }

  /** TRUE or FALSE. */
  public static ConditionStatus of(boolean value) {
    return value ? TRUE : FALSE;
  }
}
