package dev.sluice.activities.cluster;

import dev.sluice.activities.manifest.common.ClusterManifests;
import dev.sluice.api.Labels;
import dev.sluice.workflows.model.ClusterRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.Map;
import java.util.Objects;

/** How the objects of a cluster are found: by the labels that Flink itself selects with. */
public final class ClusterSelector {

  private ClusterSelector() {}

  /**
   * Of all objects of this cluster; Flink's metadata has the native type in standalone mode too.
   */
  static String of(ClusterRef cluster) {
    return Labels.OF_CLUSTERS + "," + Labels.APP + "=" + cluster.clusterId();
  }

  /** Whether its TaskManagers are a Deployment's. */
  public static boolean isStandalone(HasMetadata object) {
    return label(object, Labels.TYPE).equals(Labels.TYPE_STANDALONE)
        || !label(object, Labels.FLINK_DEPLOYMENT_TYPE).isEmpty();
  }

  /** {@code namespace/name} of the cluster that an object belongs to; empty text when to none. */
  static String cluster(HasMetadata object) {
    String app = label(object, Labels.APP);
    return app.isEmpty() ? "" : object.getMetadata().getNamespace() + "/" + app;
  }

  /** Whether it is a JobManager or TaskManager that Kubernetes or Flink made. */
  static boolean isClusterPod(Pod pod) {
    String component = label(pod, Labels.COMPONENT);
    return !pod.getMetadata().getOwnerReferences().isEmpty()
        && (component.equals(Labels.COMPONENT_JOB_MANAGER)
            || component.equals(Labels.COMPONENT_TASK_MANAGER));
  }

  /**
   * Whether it is the Deployment of the TaskManagers of that cluster: also Apache's operator gives
   * it an owner. Another one of that name is somebody else's, and nothing waits for it.
   */
  static boolean isTaskManagers(Deployment deployment, ClusterRef cluster) {
    return deployment
            .getMetadata()
            .getName()
            .equals(ClusterManifests.taskManagersName(cluster.clusterId()))
        && cluster(deployment).equals(cluster.display())
        && isStandalone(deployment)
        && !deployment.getMetadata().getOwnerReferences().isEmpty();
  }

  static boolean isTaskManager(HasMetadata pod) {
    return label(pod, Labels.COMPONENT).equals(Labels.COMPONENT_TASK_MANAGER)
        || label(pod, Labels.FLINK_DEPLOYMENT_TYPE).equals(Labels.COMPONENT_TASK_MANAGER);
  }

  private static String label(HasMetadata object, String key) {
    Map<String, String> labels = object.getMetadata().getLabels();
    return labels == null ? "" : Objects.requireNonNullElse(labels.get(key), "");
  }
}
