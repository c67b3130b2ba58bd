package dev.sluice.workflows.model;

import com.fasterxml.jackson.annotation.JsonIgnore;
import org.jspecify.annotations.Nullable;

/**
 * What was observed of a Flink cluster through the Kubernetes API.
 *
 * @param ref the cluster
 * @param present the JobManager Deployment of this resource exists and is not being deleted
 * @param generation the generation that the Deployment was made for; null when absent or not known
 * @param jobId the job that the Deployment was made for; null when absent or not known
 * @param preparedJobId the job that the cluster's configuration was applied for, which happens
 *     before its Deployment is created: as long as it is another one, that job was never started.
 *     Null when there is no configuration
 * @param jobManager whether its JobManager process ever ran
 * @param highAvailability what its high-availability metadata tells about the job
 * @param pods how many pods of the cluster exist, terminating ones included
 * @param problem why its pods do not run; null when nothing is wrong
 * @param stopped it is proved that no process of its JobManager runs now
 */
public record ClusterObservation(
    ClusterRef ref,
    boolean present,
    @Nullable Long generation,
    @Nullable String jobId,
    @Nullable String preparedJobId,
    JobManager jobManager,
    HighAvailability highAvailability,
    int pods,
    @Nullable String problem,
    boolean stopped) {

  /**
   * Whether no job can be on a session cluster that does not answer, unless it is in the metadata:
   * without high availability a JobManager forgets its jobs when it ends; with it, all are in the
   * metadata.
   */
  @JsonIgnore
  public boolean runsNoJobBesideTheMetadata() {
    return !present || stopped || highAvailability != HighAvailability.OFF;
  }

  /**
   * What may prove that the job of the cluster has not progressed, as long as it stays so.
   *
   * @param jobManager as in {@link ClusterObservation}
   * @param highAvailability as in {@link ClusterObservation}
   */
  public record Evidence(JobManager jobManager, HighAvailability highAvailability) {}

  /** What is known about the progress of its job without asking Flink. */
  @JsonIgnore
  public Evidence evidence() {
    return new Evidence(jobManager, highAvailability);
  }

  /** What Kubernetes tells of the JobManager of a Deployment. */
  public enum JobManager {
    /** It is proved that no container of this Deployment's pods ever ran. */
    NEVER_READY,
    /** No container is ready, and one ended with an exit code other than 0. */
    CRASHING,
    /** The same, and it is proved that none of this Deployment was ever available. */
    CRASHED_AT_START,
    /** It runs, it may have run, or there is no Deployment. */
    MAY_HAVE_RUN
  }

  /** What Flink's high-availability metadata in Kubernetes tells about the job of the cluster. */
  public enum HighAvailability {
    /** It is off, for the cluster that runs. */
    OFF,
    /** It is on, and there is no metadata of the job: never begun, or ended. Proves nothing. */
    NO_METADATA,
    /** The job's metadata is there and has no checkpoint: it completed none. */
    NO_CHECKPOINT,
    /** The metadata has a checkpoint of the job. */
    CHECKPOINT
  }
}
