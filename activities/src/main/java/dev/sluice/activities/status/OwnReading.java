package dev.sluice.activities.status;

import dev.sluice.activities.cluster.ClusterEvidence;
import dev.sluice.activities.cluster.ClusterObjects;
import dev.sluice.activities.kubernetes.ClusterAnnotations;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.api.common.HighAvailabilityMode;
import dev.sluice.workflows.model.ClusterObservation;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The reading of a resource that has a cluster of its own.
 *
 * @param sessionJobs of a session cluster: ids of the jobs that FlinkSessionJobs have it run
 */
record OwnReading(
    ResourceRef ref,
    StoredResource resource,
    ClusterObjects objects,
    List<String> sessionJobs,
    Instant at)
    implements Reading {

  /** The JobManager Deployment of this instance, unless it is being deleted. */
  private Optional<Deployment> deployment() {
    return ClusterEvidence.deployment(objects, ref);
  }

  @Override
  public boolean hasCluster() {
    return deployment().isPresent();
  }

  @Override
  public RunningCluster cluster() {
    return RunningCluster.of(resource, deployment().orElse(null));
  }

  @Override
  public @Nullable List<String> identity() {
    return deployment()
        .map(it -> List.of(it.getMetadata().getUid(), String.valueOf(ClusterAnnotations.jobId(it))))
        .orElse(null);
  }

  @Override
  public Optional<JobObservation> withoutFlink() {
    Optional<Deployment> deployment = deployment();
    if (deployment.isEmpty()) {
      return Optional.of(withoutDeployment());
    }
    Integer replicas = deployment.get().getSpec().getReplicas();
    return replicas != null && replicas == 0 && objects.pods().isEmpty()
        ? Optional.of(unreachable("the JobManager Deployment is scaled to 0"))
        : Optional.empty();
  }

  /**
   * A JobManager that was restarted with high availability knows nothing of a job that has ended.
   * Without high availability it would run it again, so what it says goes.
   */
  @Override
  public Optional<JobObservation> recordedEnd() {
    boolean remembered = HighAvailabilityMode.of(cluster().configuration()).isOn();
    return resource
        .status()
        .end()
        .filter(it -> remembered && isJobOfCluster(it.jobId()))
        .map(Function.identity());
  }

  private boolean isJobOfCluster(String jobId) {
    return deployment().map(ClusterAnnotations::jobId).filter(it -> !it.equals(jobId)).isEmpty();
  }

  private JobObservation withoutDeployment() {
    JobObservation end = resource.status().end().orElse(null);
    if (end != null) {
      return end;
    }
    String unstarted = resource.observed().unstarted();
    if (unstarted != null && ClusterEvidence.isNone(objects, cluster(), ref)) {
      return new JobObservation.NeverStarted(unstarted);
    }
    return unreachable(ClusterEvidence.absence(objects, ref));
  }

  @Override
  public JobObservation unreachable(String why) {
    return new JobObservation.Unreachable(why, clusterObservation().preparedJobId());
  }

  @Override
  public boolean isClearing() {
    return deployment().isEmpty()
        && resource.observed().unstarted() != null
        && !objects.pods().isEmpty();
  }

  @Override
  public Observation with(JobObservation job, List<String> otherJobs) {
    return observation(clusterObservation(), job, jobsOfOthers(job, otherJobs))
        .withSessionJobs(sessionJobs);
  }

  /** Of a session cluster that does not answer its metadata tells the jobs. */
  private List<String> jobsOfOthers(JobObservation job, List<String> answered) {
    return !(job instanceof JobObservation.Absent) && cluster().session()
        ? ClusterEvidence.jobsInMetadata(cluster(), objects)
        : answered;
  }

  private ClusterObservation clusterObservation() {
    return ClusterEvidence.of(cluster(), ref, objects, resource.observed().lastJobId());
  }
}
