package dev.sluice.activities.cluster;

import dev.sluice.api.Labels;
import dev.sluice.workflows.model.ClusterRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;

/** Tells to which cluster pods and Deployments belong. */
public interface ClusterMembership {

  /** Clusters that are named as Flink itself names them. */
  ClusterMembership OF_FLINK =
      new ClusterMembership() {
        @Override
        public String selector() {
          return Labels.OF_CLUSTERS;
        }

        @Override
        public String cluster(HasMetadata object) {
          return ClusterSelector.cluster(object);
        }

        @Override
        public boolean isJobManagers(Deployment deployment, ClusterRef cluster) {
          return deployment.getMetadata().getName().equals(cluster.clusterId());
        }

        @Override
        public boolean isTaskManagers(Deployment deployment, ClusterRef cluster) {
          return ClusterSelector.isTaskManagers(deployment, cluster);
        }

        @Override
        public boolean isPod(Pod pod) {
          return ClusterSelector.isClusterPod(pod);
        }
      };

  /** Selects, by labels, what belongs to any cluster. */
  String selector();

  /** {@code namespace/name} of the cluster that an object belongs to; empty text when to none. */
  String cluster(HasMetadata object);

  /** Whether it is the Deployment of the JobManagers of that cluster, which it belongs to. */
  boolean isJobManagers(Deployment deployment, ClusterRef cluster);

  /** Whether it is the Deployment of the TaskManagers of that cluster, which it belongs to. */
  boolean isTaskManagers(Deployment deployment, ClusterRef cluster);

  /** Whether it is a JobManager or TaskManager. */
  boolean isPod(Pod pod);
}
