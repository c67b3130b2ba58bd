package dev.sluice.activities.cluster;

import dev.sluice.api.Labels;
import dev.sluice.workflows.model.ClusterRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;

/** Tells to which cluster pods and Deployments belong: here, as Flink itself names them. */
public interface ClusterMembership {

  ClusterMembership OF_FLINK = new ClusterMembership() {};

  /** Selects, by labels, what belongs to any cluster. */
  default String selector() {
    return Labels.OF_CLUSTERS;
  }

  /** {@code namespace/name} of the cluster that an object belongs to; empty text when to none. */
  default String cluster(HasMetadata object) {
    return ClusterSelector.cluster(object);
  }

  /** Whether it is the Deployment of the JobManagers of that cluster, which it belongs to. */
  default boolean isJobManagers(Deployment deployment, ClusterRef cluster) {
    return deployment.getMetadata().getName().equals(cluster.clusterId());
  }

  /** Whether it is the Deployment of the TaskManagers of that cluster, which it belongs to. */
  default boolean isTaskManagers(Deployment deployment, ClusterRef cluster) {
    return ClusterSelector.isTaskManagers(deployment, cluster);
  }

  /** Whether it is a JobManager or TaskManager. */
  default boolean isPod(Pod pod) {
    return ClusterSelector.isClusterPod(pod);
  }
}
