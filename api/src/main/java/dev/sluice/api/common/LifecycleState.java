package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonValue;

/** One word for the whole resource, as Apache publishes it in {@code status.lifecycleState}. */
public enum LifecycleState {
  /** Seen, nothing deployed yet. */
  CREATED("CREATED"),

  /** The job is stopped on purpose, its state kept. */
  SUSPENDED("SUSPENDED"),

  /** Between two specs: the old one is being stopped or the new one is not submitted yet. */
  UPGRADING("UPGRADING"),

  /** Submitted, but not seen stable yet; a rollback may still follow. */
  DEPLOYED("DEPLOYED"),

  /** Deployed and seen running. */
  STABLE("STABLE"),

  /** On the way back to the last stable spec. */
  ROLLING_BACK("ROLLING_BACK"),

  /** The last stable spec runs, not the one in the resource. */
  ROLLED_BACK("ROLLED_BACK"),

  /** The job failed for good. */
  FAILED("FAILED"),

  /** The resource was deleted and what it owns is being removed. */
  DELETING("DELETING"),

  /** Everything the resource owned is gone. */
  DELETED("DELETED");

  private final String wire;

  LifecycleState(String wire) {
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
