package dev.sluice.api.bluegreen;

import com.fasterxml.jackson.annotation.JsonValue;

/** Whether the old job runs until the new one is live. */
public enum CutOver {
  /** It does: no pause, and both write their output for a while. */
  DUPLICATE("duplicate"),
  /**
   * It is stopped with a savepoint, and the new one starts from that on a cluster that is there
   * already: a short pause, and no output twice. Not supported yet: validation refuses it.
   */
  EXACTLY_ONCE("exactly-once");

  private final String wire;

  CutOver(String wire) {
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
