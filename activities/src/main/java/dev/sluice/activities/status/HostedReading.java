package dev.sluice.activities.status;

import dev.sluice.activities.cluster.ClusterEvidence;
import dev.sluice.activities.cluster.ClusterObjects;
import dev.sluice.activities.cluster.HostEvidence;
import dev.sluice.activities.cluster.HostEvidence.Run;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.resource.HostedJob;
import dev.sluice.activities.resource.HostedJob.Submitted;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.activities.resource.TargetSpec;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.workflows.model.ClusterObservation;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.JobObservation.Absent;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.JobObservation.Unreachable;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.RestorePoint;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The reading of a resource whose job runs on the cluster of another one. That cluster says nothing
 * of the job by itself: what Flink was asked to run stands for what it was made for.
 *
 * @param hosted where the job runs
 * @param objects of the cluster of the host
 */
record HostedReading(
    ResourceRef ref, StoredResource resource, HostedJob hosted, ClusterObjects objects, Instant at)
    implements Reading {

  /** The JobManager Deployment of the host, unless it is being deleted. */
  private Optional<Deployment> deployment() {
    return hosted.host(ref).flatMap(host -> ClusterEvidence.deployment(objects, host));
  }

  /** Of the host. No job of this resource has run before Flink was asked to. */
  @Override
  public boolean hasCluster() {
    return hosted.there() != null;
  }

  @Override
  public RunningCluster cluster() {
    Submitted submitted = hosted.there();
    Long generation = submitted == null ? null : submitted.generation();
    FlinkConfiguration configuration =
        runs().map(TargetSpec::configuration).orElseGet(() -> resource.newest().configuration());
    return new RunningCluster(
        resource.cluster(),
        Endpoint.of(resource.cluster(), configuration),
        configuration,
        submitted == null ? null : submitted.jobId(),
        generation);
  }

  @Override
  public Optional<TargetSpec> runs() {
    Submitted submitted = hosted.there();
    return resource.running(
        deployment().orElse(null), submitted == null ? null : submitted.generation());
  }

  @Override
  public @Nullable List<String> identity() {
    Submitted submitted = hosted.there();
    return deployment()
        .map(it -> List.of(it.getMetadata().getUid(), submitted == null ? "" : submitted.jobId()))
        .orElse(null);
  }

  @Override
  public Optional<JobObservation> withoutFlink() {
    if (hosted.there() == null) {
      String unstarted = resource.observed().unstarted();
      return Optional.of(
          unstarted == null
              ? unreachable("no job is there: the last one was ended")
              : new JobObservation.NeverStarted(unstarted));
    }
    if (hosted.hostUid() == null) {
      return Optional.of(unreachable(hosted.display() + " does not exist"));
    }
    return deployment().isPresent() ? Optional.empty() : Optional.of(unreachable(withoutHost()));
  }

  private String withoutHost() {
    return "the session cluster of %s is not there: %s"
        .formatted(
            hosted.display(),
            hosted.host(ref).map(host -> ClusterEvidence.absence(objects, host)).orElse(""));
  }

  /** A session cluster has no end of its own. */
  @Override
  public Optional<JobObservation> recordedEnd() {
    return Optional.empty();
  }

  @Override
  public JobObservation unreachable(String why) {
    return new Unreachable(why, prepared());
  }

  @Override
  public boolean isClearing() {
    return false;
  }

  /** Other jobs on the cluster belong to other resources. */
  @Override
  public Observation with(JobObservation job, List<String> otherJobs) {
    Submitted submitted = hosted.there();
    if (submitted == null || !(job instanceof Absent)) {
      boolean goes = submitted != null && hosted.goes() && !(job instanceof Ended);
      return seen(submitted, false, job).withClusterGoes(goes);
    }
    if (HostEvidence.mayComeBack(cluster(), objects, submitted.jobId())) {
      String why = "the JobManager answers, and the job is still in its metadata only";
      return seen(submitted, true, unreachable(why));
    }
    String unknown =
        "the session cluster of %s does not know job %s"
            .formatted(hosted.display(), submitted.jobId());
    Run run = HostEvidence.run(submitted, deployment().orElse(null), objects.pods(), at);
    if (run == Run.OPEN) {
      String why = unknown + ", and may not be the process that was asked to run it";
      return seen(submitted, false, unreachable(why));
    }
    return run == Run.AWAITED && isBeingStarted(submitted)
        ? seen(submitted, true, job)
        : seen(null, true, unreachable(unknown + " any more"));
  }

  /** By the operation in progress, on the cluster that is there. */
  private boolean isBeingStarted(Submitted submitted) {
    RestorePoint recorded = resource.observed().recorded();
    return recorded != null
        && recorded.starts(submitted.jobId())
        && deployment().filter(it -> HostEvidence.isSameCluster(submitted, it)).isPresent();
  }

  /**
   * @param there what Flink was asked to run, if that counts as there; else null
   * @param unknown Flink answers, and does not know the job
   */
  private Observation seen(@Nullable Submitted there, boolean unknown, JobObservation job) {
    ClusterObservation cluster =
        HostEvidence.of(
            cluster(), deployment().orElse(null), objects, there, prepared(), unknown, at);
    return observation(cluster, job, List.of());
  }

  /** One that was ended was started all the same. */
  private @Nullable String prepared() {
    Submitted submitted = hosted.submitted();
    return submitted == null ? resource.observed().lastJobId() : submitted.jobId();
  }
}
