package dev.sluice.activities.status;

import dev.sluice.activities.cluster.ClusterEvidence;
import dev.sluice.activities.cluster.ClusterObjects;
import dev.sluice.activities.job.RestoredPath;
import dev.sluice.activities.kubernetes.MadeFor;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.HighAvailabilityMode;
import dev.sluice.workflows.model.ClusterObservation;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
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
        .map(it -> List.of(it.getMetadata().getUid(), String.valueOf(MadeFor.jobId(it))))
        .orElse(null);
  }

  @Override
  public Optional<JobObservation> withoutFlink() {
    Optional<Deployment> deployment = deployment();
    if (deployment.isEmpty()) {
      return Optional.of(withoutDeployment());
    }
    Integer replicas = deployment.get().getSpec().getReplicas();
    if (replicas == null || replicas > 0) {
      return Optional.empty();
    }
    Optional<JobObservation> end = end(deployment.get());
    if (end.isPresent()) {
      return end;
    }
    return objects.pods().isEmpty()
        ? Optional.of(unreachable("the JobManager Deployment is scaled to 0"))
        : Optional.empty();
  }

  /**
   * The end of the job that was noted while its JobManager ran on: what Flink itself tells goes
   * first, but a JobManager that was restarted knows nothing of the job. Empty without high
   * availability, where it would run the job again. A job that left no more than it was started
   * from has not progressed.
   */
  @Override
  public Optional<JobObservation> noted() {
    boolean remembered = HighAvailabilityMode.of(configuration()).isOn();
    return deployment().filter(it -> remembered && MadeFor.hasEndNoted(it)).flatMap(this::end);
  }

  private Optional<JobObservation> end(Deployment deployment) {
    String ended = MadeFor.finishedJob(deployment);
    FlinkJobState as = MadeFor.finishedAs(deployment);
    return ended == null || as == null
        ? Optional.empty()
        : Optional.of(ended(ended, as, MadeFor.finishedState(deployment)));
  }

  private JobObservation ended(String jobId, FlinkJobState as, @Nullable String state) {
    StateRef given = as == FlinkJobState.FINISHED ? null : givenTo(jobId);
    return given != null && isAt(given, state)
        ? new JobObservation.Ended(jobId, as, given, false)
        : new JobObservation.Ended(jobId, as, left(jobId, as, state), true);
  }

  /** What the job was started from, while its operation goes on; null when that is not known. */
  private @Nullable StateRef givenTo(String jobId) {
    RestorePoint recorded = resource.observed().recorded();
    return recorded != null && recorded.starts(jobId) ? recorded.state() : null;
  }

  private boolean isAt(StateRef given, @Nullable String path) {
    String at = given.pathOrNull();
    return at != null
        && path != null
        && RestoredPath.same(at, path, RestoredPath.defaultScheme(configuration()));
  }

  private FlinkConfiguration configuration() {
    return cluster().configuration();
  }

  private static StateRef left(String jobId, FlinkJobState as, @Nullable String state) {
    boolean finished = as == FlinkJobState.FINISHED;
    if (state == null) {
      return new StateRef.Empty(
          "job " + jobId + (finished ? " has finished by itself" : " left no checkpoint"));
    }
    return finished ? new StateRef.Savepoint(state) : new StateRef.Checkpoint(state);
  }

  private JobObservation withoutDeployment() {
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
