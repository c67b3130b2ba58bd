package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonValue;

/** The state that the spec asks for. */
public enum DesiredJobState {
  /** The job is to process data. */
  RUNNING("running"),

  /** The job is stopped and its state kept, so that it can be resumed. */
  SUSPENDED("suspended");

  private final String wire;

  DesiredJobState(String wire) {
    this.wire = wire;
  }

  /** The spelling in manifests and in JSON. */
  @JsonValue
  @Override
  public String toString() {
    return wire;
  }
}
