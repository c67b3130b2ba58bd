package dev.sluice.api.bluegreen;

import com.fasterxml.jackson.annotation.JsonValue;

/** What becomes of the new child when a transition is given up. */
public enum AbortAction {
  /**
   * It is suspended, as by Apache's operator: its job stops, the resource stays to be looked at.
   */
  SUSPEND("suspend"),
  /** It is deleted. */
  DELETE("delete");

  private final String wire;

  AbortAction(String wire) {
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
