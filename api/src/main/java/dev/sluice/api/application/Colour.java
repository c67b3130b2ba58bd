package dev.sluice.api.application;

import com.fasterxml.jackson.annotation.JsonValue;

/** The two versions that an application can have in mode BlueGreen. */
public enum Colour {
  /** The one that follows a green version. */
  BLUE("blue"),

  /** The first one, and the one that follows a blue version. */
  GREEN("green");

  private final String wire;

  Colour(String wire) {
    this.wire = wire;
  }

  /** The spelling in manifests and in JSON. */
  @JsonValue
  public String wire() {
    return wire;
  }

  /** The other one. */
  public Colour other() {
    return this == BLUE ? GREEN : BLUE;
  }

  @Override
  public String toString() {
    return wire;
  }
}
