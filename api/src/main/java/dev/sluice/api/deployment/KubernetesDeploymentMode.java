package dev.sluice.api.deployment;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.sluice.api.Labels;

/** Who creates the TaskManager pods. */
public enum KubernetesDeploymentMode {
  /** Flink itself: the JobManager asks Kubernetes for TaskManager pods as it needs slots. */
  NATIVE("native", Labels.TYPE_NATIVE),

  /** The operator: TaskManagers are a Deployment with a fixed number of replicas. */
  STANDALONE("standalone", Labels.TYPE_STANDALONE);

  private final String wire;
  private final String label;

  KubernetesDeploymentMode(String wire, String label) {
    this.wire = wire;
    this.label = label;
  }

  /** The value of {@link Labels#TYPE} on what is made in this mode. */
  public String label() {
    return label;
  }

  /** The spelling in manifests and in JSON. */
  @JsonValue
  @Override
  public String toString() {
    return wire;
  }
}
