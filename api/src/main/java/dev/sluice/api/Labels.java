package dev.sluice.api;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Labels of what belongs to a cluster. The first three are Flink's own (its {@code
 * KubernetesUtils.getCommonLabels}), because its native mode selects pods by them.
 */
public final class Labels {
  /** The cluster id: name of the FlinkDeployment. */
  public static final String APP = "app";

  /** {@link #COMPONENT_JOB_MANAGER} or {@link #COMPONENT_TASK_MANAGER}. */
  public static final String COMPONENT = "component";

  /**
   * {@link #TYPE_NATIVE} or {@link #TYPE_STANDALONE}; Flink's own metadata has always the first.
   */
  public static final String TYPE = "type";

  /** Value of COMPONENT for JobManagers. */
  public static final String COMPONENT_JOB_MANAGER = "jobmanager";

  /** Value of COMPONENT for TaskManagers. */
  public static final String COMPONENT_TASK_MANAGER = "taskmanager";

  /** Value of TYPE in native mode. */
  public static final String TYPE_NATIVE = "flink-native-kubernetes";

  /** Value of TYPE in standalone mode, as with Apache's operator. */
  public static final String TYPE_STANDALONE = "flink-standalone-kubernetes";

  /** Selects what belongs to any cluster. */
  public static final String OF_CLUSTERS =
      TYPE + " in (" + TYPE_NATIVE + "," + TYPE_STANDALONE + ")";

  /** Which operator made it; ours has {@link #MANAGED_BY_SLUICE}. */
  public static final String MANAGED_BY = "app.kubernetes.io/managed-by";

  /** Value of MANAGED_BY. */
  public static final String MANAGED_BY_SLUICE = "sluice";

  /** On a ControllerRevision: the kind of resource whose spec it holds. */
  public static final String RESOURCE_KIND = "sluice.dev/kind";

  /** On a ControllerRevision: the name of the resource whose spec it holds. */
  public static final String RESOURCE_NAME = "sluice.dev/name";

  /** {@code "true"} on a resource that Apache's operator only acknowledges, to prove its health. */
  public static final String CANARY = "flink.apache.org/canary";

  /**
   * As the operator of Lyft has it: {@link #COMPONENT_JOB_MANAGER} or {@link
   * #COMPONENT_TASK_MANAGER}.
   */
  public static final String FLINK_DEPLOYMENT_TYPE = "flink-deployment-type";

  private Labels() {}

  /** The value of that label; null without one. */
  public static @Nullable String of(HasMetadata object, String key) {
    Map<String, String> labels = object.getMetadata().getLabels();
    return labels == null ? null : labels.get(key);
  }
}
