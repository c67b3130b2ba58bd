package dev.sluice.activities.status;

import dev.sluice.activities.cluster.ClusterObjects;
import dev.sluice.activities.cluster.SessionJobSource;
import dev.sluice.activities.resource.HostedJob;
import dev.sluice.activities.resource.ObservedResource;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.activities.resource.TargetSpec;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.StateDirectories;
import dev.sluice.workflows.model.ClusterObservation;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.ResourceRef;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the API server said of a resource and the cluster of its job at one moment. */
sealed interface Reading permits OwnReading, HostedReading {

  /**
   * Blocks for the list of FlinkSessionJobs where the resource is a session cluster.
   *
   * @param ref the resource
   * @param resource as it was read
   * @param objects of the cluster that runs its job
   * @param at when
   */
  static Reading of(
      ResourceRef ref,
      StoredResource resource,
      ClusterObjects objects,
      SessionJobSource sessionJobs,
      Instant at) {
    HostedJob hosted = resource.hosted().orElse(null);
    if (hosted != null) {
      return new HostedReading(ref, resource, hosted, objects, at);
    }
    boolean session = resource.newest().target().session();
    return new OwnReading(
        ref, resource, objects, session ? sessionJobs.jobIds(resource.cluster()) : List.of(), at);
  }

  StoredResource resource();

  Instant at();

  /** A cluster is there that was made for the resource, so that it may have run a job. */
  boolean hasCluster();

  /** The cluster that runs now. */
  RunningCluster cluster();

  /** The spec that the job runs with; empty when it is not known. */
  default Optional<TargetSpec> runs() {
    return RunningCluster.spec(resource(), cluster().generation());
  }

  /**
   * What distinguishes the cluster and its job from the next ones; null when there is no cluster.
   */
  @Nullable List<String> identity();

  /** Whether both have the same cluster with the same job. */
  default boolean hasSameClusterAs(Reading other) {
    return Objects.equals(identity(), other.identity());
  }

  /** The job as known without Flink; empty when Flink must be asked. */
  Optional<JobObservation> withoutFlink();

  /** The end of the job as recorded, where Flink itself does not report of it any more. */
  Optional<JobObservation> recordedEnd();

  /** Flink's state is not known. */
  JobObservation unreachable(String why);

  /** It was never started as far as the status shows, but pods of some cluster are still there. */
  boolean isClearing();

  /** All of it, with what was learnt of the job. */
  Observation with(JobObservation job, List<String> otherJobs);

  /** The same, with what the cluster tells. */
  default Observation observation(
      ClusterObservation cluster, JobObservation job, List<String> otherJobs) {
    ObservedResource observed = resource().observed();
    OperationStatus operation = resource().status().operation();
    boolean open = operation != null && operation.state() != null && operation.state().isOpen();
    return new Observation(
        observed.deleting(),
        observed.newest(),
        observed.frozen(),
        observed.stableGeneration(),
        observed.phase(),
        observed.begunAtMs(),
        open,
        operation == null ? null : operation.givenUpGeneration(),
        observed.recorded(),
        cluster,
        job,
        otherJobs,
        deployed(),
        observed.deletionSavepointMs(),
        resource().status().recovery(),
        observed.isBegun() ? null : resource().status().restorePoint(),
        List.of(),
        false,
        List.of(),
        observed.pendingStop());
  }

  private Observation.@Nullable Deployed deployed() {
    return runs()
        .map(
            spec ->
                new Observation.Deployed(
                    spec.target().flinkVersion(),
                    StateDirectories.savepoints(
                            spec.configuration(), resource().newest().configuration())
                        .isPresent(),
                    spec.target().options().highAvailabilityStore()))
        .orElse(null);
  }
}
