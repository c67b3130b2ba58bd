package dev.sluice.activities.cluster;

import dev.sluice.workflows.model.ClusterRef;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Deployments and pods of clusters, from memory or as they are now. */
public interface ClusterView {

  /** The JobManager Deployment of that name, whoever owns it. */
  Optional<Deployment> deployment(ClusterRef cluster);

  /** The Deployment of its TaskManagers in standalone mode, whoever owns it. */
  Optional<Deployment> taskManagers(ClusterRef cluster);

  /** Every pod of that cluster, those that terminate included. */
  List<Pod> pods(ClusterRef cluster);

  /** Those of the two Deployments that are there. */
  default List<Deployment> deployments(ClusterRef cluster) {
    Optional<Deployment> jobManager = deployment(cluster);
    return Stream.of(jobManager, taskManagersBeside(jobManager, cluster))
        .flatMap(Optional::stream)
        .toList();
  }

  /** The Deployment of the TaskManagers; not asked for next to a native JobManager. */
  default Optional<Deployment> taskManagersBeside(
      Optional<Deployment> jobManager, ClusterRef cluster) {
    return jobManager.isPresent() && !ClusterSelector.isStandalone(jobManager.get())
        ? Optional.empty()
        : taskManagers(cluster);
  }
}
