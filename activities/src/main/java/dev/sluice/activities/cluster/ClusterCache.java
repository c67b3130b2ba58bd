package dev.sluice.activities.cluster;

import dev.sluice.workflows.model.ClusterRef;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Optional;

/**
 * What is known of clusters without asking the API server: from memory, at once, and possibly a
 * moment old. Before an effect that a stale answer would spoil, ask the API server.
 */
public interface ClusterCache {

  /** The JobManager Deployment of that cluster, whoever owns it. */
  Optional<Deployment> deployment(ClusterRef cluster);

  /** Every pod of that cluster, those that terminate included. */
  List<Pod> pods(ClusterRef cluster);

  /**
   * Whether everything was listed at least once. Before that, what is not here may exist
   * nevertheless.
   */
  boolean synced();

  /** For the old contract of jobs, until it is gone. */
  default Optional<Deployment> deployment(dev.sluice.workflows.resource.ResourceRef ref) {
    return deployment(new ClusterRef(ref.namespace(), ref.name()));
  }

  /** For the old contract of jobs, until it is gone. */
  default List<Pod> pods(dev.sluice.workflows.resource.ResourceRef ref) {
    return pods(new ClusterRef(ref.namespace(), ref.name()));
  }
}
