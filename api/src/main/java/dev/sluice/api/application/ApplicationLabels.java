package dev.sluice.api.application;

/** Labels and annotations of what the versions of a FlinkApplication are made of. */
public final class ApplicationLabels {
  /** As the operator of Lyft has it: the FlinkApplication that something belongs to. */
  public static final String FLINK_APP = "flink-app";

  /**
   * As the operator of Lyft has it: the hash of a version, a label of its Deployments and Service,
   * an annotation of its pods.
   */
  public static final String FLINK_APP_HASH = "flink-app-hash";

  /** As the operator of Lyft has it: {@code blue} or {@code green}. */
  public static final String FLINK_APPLICATION_VERSION = "flink-application-version";

  /** As the operator of Lyft has it: which Deployment a pod is of. */
  public static final String POD_DEPLOYMENT_SELECTOR = "pod-deployment-selector";

  /** Annotation: the whole hash of the version. */
  public static final String FULL_HASH = "sluice.dev/full-hash";

  /** Annotation of a Service: the name of its cluster, which may be that of an earlier version. */
  public static final String CLUSTER = "sluice.dev/cluster";

  private ApplicationLabels() {}
}
