package dev.sluice.activities.status;

import dev.sluice.activities.cluster.ClusterEvidence;
import dev.sluice.activities.cluster.ClusterObjects;
import dev.sluice.activities.job.RestoredPath;
import dev.sluice.activities.kubernetes.MadeFor;
import dev.sluice.activities.resource.ObservedResource;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.HighAvailabilityMode;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.SavepointDirectoryOption;
import dev.sluice.workflows.model.ClusterObservation;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the API server said of a resource and its cluster at one moment.
 *
 * @param ref the resource
 * @param resource as it was read
 * @param objects of its cluster
 * @param at when
 */
record Reading(ResourceRef ref, StoredResource resource, ClusterObjects objects, Instant at) {

  /** The JobManager Deployment of this instance, unless it is being deleted. */
  Optional<Deployment> deployment() {
    return ClusterEvidence.deployment(objects, ref);
  }

  /** The cluster that runs now. */
  RunningCluster cluster() {
    return RunningCluster.of(resource, deployment().orElse(null));
  }

  /** Whether both have the same Deployment, made for the same job. */
  boolean hasSameClusterAs(Reading other) {
    return Objects.equals(identity(), other.identity());
  }

  private @Nullable List<String> identity() {
    return deployment()
        .map(it -> List.of(it.getMetadata().getUid(), String.valueOf(MadeFor.jobId(it))))
        .orElse(null);
  }

  /** The job as known without Flink; empty when Flink must be asked. */
  Optional<JobObservation> withoutFlink() {
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
  Optional<JobObservation> noted() {
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

  /** Flink's state is not known. */
  JobObservation unreachable(String why) {
    return new JobObservation.Unreachable(why, clusterObservation().preparedJobId());
  }

  /** It was never started as far as the status tells, but pods of some cluster are still there. */
  boolean isClearing() {
    return deployment().isEmpty()
        && resource.observed().unstarted() != null
        && !objects.pods().isEmpty();
  }

  /** All of it, with what was learnt of the job. */
  Observation with(JobObservation job, List<String> otherJobs) {
    ObservedResource observed = resource.observed();
    return new Observation(
        observed.deleting(),
        observed.newest(),
        observed.frozen(),
        observed.stableGeneration(),
        observed.phase(),
        observed.begunAtMs(),
        isOperationOpen(),
        observed.recorded(),
        clusterObservation(),
        job,
        jobsOfOthers(job, otherJobs),
        deployed(),
        observed.deletionSavepointMs(),
        resource.status().recovery(),
        observed.isBegun() ? null : resource.status().restorePoint());
  }

  /** Of a session cluster that does not answer its metadata tells the jobs. */
  private List<String> jobsOfOthers(JobObservation job, List<String> answered) {
    return job instanceof JobObservation.Unreachable && cluster().session()
        ? ClusterEvidence.jobsInMetadata(cluster(), objects)
        : answered;
  }

  private Observation.@Nullable Deployed deployed() {
    return RunningCluster.spec(resource, cluster().generation())
        .map(
            spec ->
                new Observation.Deployed(
                    spec.target().flinkVersion(),
                    SavepointDirectoryOption.of(
                            spec.configuration(), resource.newest().configuration())
                        .isPresent()))
        .orElse(null);
  }

  private boolean isOperationOpen() {
    OperationStatus operation = resource.status().operation();
    return operation != null && operation.state() != null && operation.state().isOpen();
  }

  private ClusterObservation clusterObservation() {
    return ClusterEvidence.of(cluster(), ref, objects, resource.observed().lastJobId());
  }
}
