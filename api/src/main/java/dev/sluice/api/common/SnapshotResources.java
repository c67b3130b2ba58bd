package dev.sluice.api.common;

/** Whether what Sluice takes of a job gets a FlinkStateSnapshot, or is told in its status alone. */
public final class SnapshotResources {

  /** The option of Apache's operator, {@code true} where it is not set. */
  public static final String KEY = "kubernetes.operator.snapshot.resource.enabled";

  private SnapshotResources() {}

  /**
   * Whether it gets one.
   *
   * @param configuration of the resource, over the operator's defaults
   */
  public static boolean isEnabled(FlinkConfiguration configuration) {
    return configuration.isOn(KEY, true);
  }
}
