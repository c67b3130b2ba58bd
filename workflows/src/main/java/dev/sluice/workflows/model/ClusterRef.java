package dev.sluice.workflows.model;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * A Flink cluster. Its id is not always the name of the resource that it is made for.
 *
 * @param namespace its namespace
 * @param clusterId Flink's {@code kubernetes.cluster-id}
 */
public record ClusterRef(String namespace, String clusterId) {

  /**
   * {@code namespace/clusterId}, the form people read; also the key under which waits are woken.
   */
  @JsonIgnore
  public String display() {
    return namespace + "/" + clusterId;
  }
}
