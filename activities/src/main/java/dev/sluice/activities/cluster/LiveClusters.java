package dev.sluice.activities.cluster;

import dev.sluice.workflows.model.ClusterRef;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The objects of a cluster as the API server has them now: asked before anything is given up
 * because of what the {@link ClusterCache} says. Every method blocks for one call and may throw.
 */
public interface LiveClusters {

  /** The JobManager Deployment of that name, whoever owns it. */
  Optional<Deployment> deployment(ClusterRef cluster);

  /** The Deployment of its TaskManagers in standalone mode, whoever owns it. */
  Optional<Deployment> taskManagers(ClusterRef cluster);

  /** Every pod of that cluster, those that terminate included. */
  List<Pod> pods(ClusterRef cluster);

  /** Those of the two Deployments that are there. Blocks for two calls. */
  default List<Deployment> deployments(ClusterRef cluster) {
    return Stream.of(deployment(cluster), taskManagers(cluster)).flatMap(Optional::stream).toList();
  }

  /** Why a pod waits for its volumes; empty when no event says so. */
  Optional<PodProblem> volumeProblem(Pod pod);
}
