package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonValue;

/** The state a person wants the job to be in. */
public enum DesiredJobState {
  /** The job is to process data. */
  RUNNING("running"),

  /** The job is to be stopped, its state kept, so that it can go on later. */
  SUSPENDED("suspended");

  private final String wire;

  DesiredJobState(String wire) {
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
