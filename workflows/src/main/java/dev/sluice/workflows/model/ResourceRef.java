package dev.sluice.workflows.model;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * One instance of a custom resource on one Kubernetes cluster. The uid distinguishes a resource
 * from a later one of the same name.
 *
 * @param kubernetes identity of the Kubernetes cluster: the uid of its namespace {@code
 *     kube-system}
 * @param kind the Kubernetes kind, e.g. {@code FlinkDeployment}
 * @param namespace its namespace
 * @param name its name
 * @param uid {@code metadata.uid}
 */
public record ResourceRef(
    String kubernetes, String kind, String namespace, String name, String uid) {

  private static final int UID_PREFIX = 8;

  /**
   * The workflow id of this resource's lane. It has only characters that need no escaping in a URL,
   * and {@code _} cannot occur in Kubernetes names, so no two resources share a lane.
   */
  @JsonIgnore
  public String laneId() {
    return String.join("_", kind, namespace, name, shortUid());
  }

  /** The first 8 of the uid: enough to distinguish it from an earlier resource of the same name. */
  @JsonIgnore
  public String shortUid() {
    return uid.substring(0, Math.min(UID_PREFIX, uid.length()));
  }

  /**
   * Whether its job has a cluster of its own, which its operations make and delete; else it is
   * started on one that is there.
   */
  @JsonIgnore
  public boolean ownsCluster() {
    return !kind.equals("FlinkSessionJob");
  }

  /** {@code namespace/name}, the form people read. */
  @JsonIgnore
  public String display() {
    return namespace + "/" + name;
  }
}
