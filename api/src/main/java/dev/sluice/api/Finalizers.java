package dev.sluice.api;

/** Finalizers that keep a deleted resource until what it owns is gone. */
public final class Finalizers {
  /**
   * On a FlinkDeployment. The same as Apache's operator uses, so that a resource never carries two.
   * Removing it by hand leaves whatever is left to Kubernetes' garbage collector.
   */
  public static final String FLINK_DEPLOYMENT = "flinkdeployments.flink.apache.org/finalizer";

  /** On a FlinkSessionJob, with the same name as Apache's, for the same reason. */
  public static final String FLINK_SESSION_JOB = "flinksessionjobs.flink.apache.org/finalizer";

  /** On a FlinkBlueGreenDeployment, until its children are gone. */
  public static final String FLINK_BLUE_GREEN_DEPLOYMENT =
      "flinkbluegreendeployments.flink.apache.org/finalizer";

  /** On a FlinkApplication, in the place of that of Lyft's operator. */
  public static final String FLINK_APPLICATION = "flinkapplications.flink.k8s.io/finalizer";

  private Finalizers() {}
}
