package dev.sluice.api.deployment;

import com.fasterxml.jackson.annotation.JsonValue;

/** Who creates the TaskManager pods. */
public enum KubernetesDeploymentMode {
  /** Flink itself: the JobManager asks Kubernetes for TaskManager pods as it needs slots. */
  NATIVE("native"),

  /** The operator: TaskManagers are a Deployment with a fixed number of replicas. */
  STANDALONE("standalone");

  private final String wire;

  KubernetesDeploymentMode(String wire) {
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
