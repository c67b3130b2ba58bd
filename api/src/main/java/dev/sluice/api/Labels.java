package dev.sluice.api;

/**
 * Labels of what belongs to a cluster. The first three are Flink's own (its {@code
 * KubernetesUtils.getCommonLabels}), because its native mode selects pods by them.
 */
public final class Labels {
  /** The cluster id: name of the FlinkDeployment. */
  public static final String APP = "app";

  /** {@link #COMPONENT_JOB_MANAGER} or {@link #COMPONENT_TASK_MANAGER}. */
  public static final String COMPONENT = "component";

  /** Always {@link #TYPE_NATIVE} for what native mode creates. */
  public static final String TYPE = "type";

  /** Value of COMPONENT for JobManagers. */
  public static final String COMPONENT_JOB_MANAGER = "jobmanager";

  /** Value of COMPONENT for TaskManagers. */
  public static final String COMPONENT_TASK_MANAGER = "taskmanager";

  /** Value of TYPE. */
  public static final String TYPE_NATIVE = "flink-native-kubernetes";

  /** Which operator made it; ours has {@link #MANAGED_BY_SLUICE}. */
  public static final String MANAGED_BY = "app.kubernetes.io/managed-by";

  /** Value of MANAGED_BY. */
  public static final String MANAGED_BY_SLUICE = "sluice";

  /** On a ControllerRevision: the kind of resource whose spec it holds. */
  public static final String RESOURCE_KIND = "sluice.dev/kind";

  /** On a ControllerRevision: the name of the resource whose spec it holds. */
  public static final String RESOURCE_NAME = "sluice.dev/name";

  /**
   * On a FlinkStateSnapshot that Sluice made for the spec of a resource: the uid of that resource,
   * which tells it from an earlier one of the same name.
   */
  public static final String REFERENCE_UID = "sluice.dev/job-reference-uid";

  private Labels() {}
}
