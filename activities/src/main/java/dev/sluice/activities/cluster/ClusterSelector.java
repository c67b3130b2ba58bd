package dev.sluice.activities.cluster;

import dev.sluice.api.Labels;
import dev.sluice.workflows.model.ClusterRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Map;
import java.util.Objects;

/** How the objects of a native cluster are found: by the labels that Flink itself selects with. */
final class ClusterSelector {

  /** On all objects of every native cluster. */
  static final Map<String, String> NATIVE = Map.of(Labels.TYPE, Labels.TYPE_NATIVE);

  private ClusterSelector() {}

  /** On all objects of this cluster. */
  static Map<String, String> of(ClusterRef cluster) {
    return Map.of(Labels.TYPE, Labels.TYPE_NATIVE, Labels.APP, cluster.clusterId());
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

  static boolean isTaskManager(Pod pod) {
    return label(pod, Labels.COMPONENT).equals(Labels.COMPONENT_TASK_MANAGER);
  }

  private static String label(HasMetadata object, String key) {
    Map<String, String> labels = object.getMetadata().getLabels();
    return labels == null ? "" : Objects.requireNonNullElse(labels.get(key), "");
  }
}
