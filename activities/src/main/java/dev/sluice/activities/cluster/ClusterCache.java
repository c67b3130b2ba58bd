package dev.sluice.activities.cluster;

import dev.sluice.workflows.model.ClusterRef;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is known of clusters without asking the API server: from memory, at once, and possibly a
 * moment old. Before an effect that a stale answer would spoil, ask the API server.
 */
public interface ClusterCache {

  /** The JobManager Deployment of that name, whoever owns it. */
  Optional<Deployment> deployment(ClusterRef cluster);

  /** The Deployment of its TaskManagers in standalone mode, whoever owns it. */
  Optional<Deployment> taskManagers(ClusterRef cluster);

  /** Every pod of that cluster, those that terminate included. */
  List<Pod> pods(ClusterRef cluster);

  /** Those of the two Deployments that are there. */
  default List<Deployment> deployments(ClusterRef cluster) {
    return Stream.of(deployment(cluster), taskManagers(cluster)).flatMap(Optional::stream).toList();
  }

  /**
   * Whether everything that exists is known here: false right after the start, and while the API
   * server cannot be watched. Nothing may be given up then because it is not here.
   */
  boolean synced();
}
