package dev.sluice.controller.deployment;

import dev.sluice.api.deployment.JobManagerDeploymentStatus;
import org.jspecify.annotations.Nullable;

/**
 * A cluster as its Deployment and pods show it, without asking Flink.
 *
 * @param jobManager READY is never said here: a ready pod is DEPLOYED_NOT_READY until Flink answers
 * @param jobId the job that the Deployment was made to run; null when it does not say
 * @param problem what the JobManager pods complain of, e.g. {@code ErrImagePull: ...}; null when
 *     nothing
 * @param jobManagerPods tells one set of running JobManager processes from another
 * @param pods tells any change of the cluster's pods
 */
public record ObservedCluster(
    JobManagerDeploymentStatus jobManager,
    @Nullable String jobId,
    @Nullable String problem,
    String jobManagerPods,
    String pods) {

  /** No Deployment. */
  public static final ObservedCluster NONE =
      new ObservedCluster(JobManagerDeploymentStatus.MISSING, null, null, "", "");

  /** Whether there is a Deployment. */
  public boolean present() {
    return jobManager != JobManagerDeploymentStatus.MISSING;
  }

  /** Whether a JobManager process runs, so that asking Flink makes sense. */
  public boolean answerable() {
    return jobManager == JobManagerDeploymentStatus.DEPLOYED_NOT_READY;
  }
}
