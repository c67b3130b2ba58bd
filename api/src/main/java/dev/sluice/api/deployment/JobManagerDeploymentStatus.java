package dev.sluice.api.deployment;

import com.fasterxml.jackson.annotation.JsonValue;

/** What is known of the Deployment that runs the JobManager. */
public enum JobManagerDeploymentStatus {
  /** It runs and answers REST calls. */
  READY("READY"),

  /** Its pod runs but REST does not answer yet. */
  DEPLOYED_NOT_READY("DEPLOYED_NOT_READY"),

  /** Its pod is starting. */
  DEPLOYING("DEPLOYING"),

  /** There is no Deployment. */
  MISSING("MISSING"),

  /** Its pod cannot start without a change of the spec. */
  ERROR("ERROR");

  private final String wire;

  JobManagerDeploymentStatus(String wire) {
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
