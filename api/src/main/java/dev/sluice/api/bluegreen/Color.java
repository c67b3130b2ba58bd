package dev.sluice.api.bluegreen;

import com.fasterxml.jackson.annotation.JsonValue;

/** Which of the two children of a FlinkBlueGreenDeployment. */
public enum Color {
  /** The first one. */
  BLUE("blue"),
  /** The one that replaces blue, and that blue replaces. */
  GREEN("green");

  /** Label of a child: {@code blue} or {@code green}. */
  public static final String LABEL = "sluice.dev/color";

  private final String wire;

  Color(String wire) {
    this.wire = wire;
  }

  /** The other one. */
  public Color other() {
    return this == BLUE ? GREEN : BLUE;
  }

  /** The name of the child of that parent. */
  public String child(String parent) {
    return parent + "-" + wire;
  }

  /** The spelling in names, labels and the status. */
  @JsonValue
  public String wire() {
    return wire;
  }

  @Override
  public String toString() {
    return wire;
  }
}
