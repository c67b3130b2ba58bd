package dev.sluice.controller.observation;

import org.jspecify.annotations.Nullable;

/**
 * A cluster as its Deployment and pods show it, without asking Flink.
 *
 * @param jobManager what its JobManager does
 * @param jobId the job that the Deployment was made to run; null when it does not say
 * @param generation of the spec that the Deployment was made from; null when it does not say
 * @param lacksTaskManagers the Deployment that makes its TaskManagers in standalone mode is missing
 * @param health what is wrong with its pods
 * @param sizes what its processes may use
 * @param jobManagerPods distinguishes one set of ready JobManager processes from another
 */
public record ObservedCluster(
    JobManager jobManager,
    @Nullable String jobId,
    @Nullable Long generation,
    boolean lacksTaskManagers,
    ClusterHealth health,
    ProcessSizes sizes,
    String jobManagerPods) {

  /** No Deployment. */
  public static final ObservedCluster NONE =
      new ObservedCluster(
          JobManager.MISSING, null, null, false, ClusterHealth.GOOD, ProcessSizes.NONE, "");

  /** Whether there is a Deployment. */
  public boolean present() {
    return jobManager != JobManager.MISSING;
  }

  /** Whether a JobManager process runs, so that asking Flink makes sense. */
  public boolean answerable() {
    return jobManager == JobManager.RUNNING;
  }

  /** Why Flink cannot be asked, in words that stay the same; null when it can. */
  public @Nullable String whyNotAnswering() {
    return switch (jobManager) {
      case MISSING -> "There is no JobManager Deployment";
      case STOPPED -> "The JobManager Deployment is scaled to 0";
      case STARTING -> "No JobManager pod is ready" + why();
      case FAILING -> "The JobManager pod cannot start" + why();
      case RUNNING -> null;
    };
  }

  private String why() {
    return health
        .jobManager()
        .map(problem -> ": " + problem.message().replaceFirst("\\.$", ""))
        .orElse("");
  }

  /** What Kubernetes shows of a JobManager. */
  public enum JobManager {
    /** There is no Deployment, or it is being deleted. */
    MISSING,
    /** The Deployment is scaled to 0. */
    STOPPED,
    /** No pod is ready yet. */
    STARTING,
    /** Its pod cannot start without a change, or keeps crashing. */
    FAILING,
    /** A pod is ready. */
    RUNNING
  }
}
