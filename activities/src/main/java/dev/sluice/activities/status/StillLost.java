package dev.sluice.activities.status;

import dev.sluice.activities.cluster.ClusterEvidence;
import dev.sluice.activities.cluster.ClusterReader;
import dev.sluice.activities.cluster.HostEvidence;
import dev.sluice.activities.cluster.Outdated;
import dev.sluice.activities.kubernetes.MadeFor;
import dev.sluice.activities.resource.HostedJob;
import dev.sluice.activities.resource.HostedJob.Submitted;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.api.common.RecoveryStatus;
import dev.sluice.workflows.activity.ResourceActivities.FreezeDeployedRequest;
import java.util.Objects;
import java.util.Optional;

/**
 * Refuses an attempt to bring a job back that was planned for a loss which was answered since: by
 * this run before it was reset, by another one, or by itself.
 */
final class StillLost {

  private final ClusterReader clusters;

  StillLost(ClusterReader clusters) {
    this.clusters = clusters;
  }

  /**
   * Blocks for some calls to the API server.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code Outdated}
   */
  void check(StoredResource resource, FreezeDeployedRequest request) {
    Outdated.check(resource, request.plannedFor(), request.leaves());
    RecoveryStatus counted = resource.status().recovery();
    boolean again =
        request.report().run().runId().equals(resource.status().runId())
            && request.after().equals(counted);
    if (resource.observed().isBegun() || again) {
      return;
    }
    if (!Objects.equals(counted, request.before())) {
      throw Outdated.failure("the job was brought back since: " + counted);
    }
    HostedJob hosted = resource.hosted().orElse(null);
    if (hosted != null) {
      check(hosted, request);
      return;
    }
    String jobId =
        ClusterEvidence.deployment(clusters.objects(resource.cluster()), request.resource())
            .map(MadeFor::jobId)
            .orElse(null);
    if (!Objects.equals(jobId, request.jobId())) {
      throw Outdated.failure(
          "the JobManager Deployment is for job %s, not %s".formatted(jobId, request.jobId()));
    }
  }

  /**
   * Why a job that its session cluster does not know is not brought back; empty when it may be. A
   * JobManager without high availability forgets a job only after that has ended ({@code
   * jobstore.expiration-time}). Blocks for a call to the API server.
   */
  Optional<String> hasEnded(StoredResource resource, FreezeDeployedRequest request) {
    Submitted there = resource.hosted().map(HostedJob::there).orElse(null);
    boolean begins =
        request.begins()
            && request.after().cause() == RecoveryCause.JOB_MANAGER_MISSING
            && !resource.observed().isBegun();
    if (!begins || there == null || there.jobManager() == null) {
      return Optional.empty();
    }
    boolean runsOn =
        there.jobManager().equals(HostEvidence.process(clusters.pods(resource.cluster())));
    return runsOn
        ? Optional.of(
            "The JobManager that was asked to run job %s runs on and does not list it: it has ended. A new spec or restartNonce starts it."
                .formatted(there.jobId()))
        : Optional.empty();
  }

  /** A job that its cluster does not know any more is planned for without an id. */
  private static void check(HostedJob hosted, FreezeDeployedRequest request) {
    Submitted there = hosted.there();
    String jobId = there == null ? null : there.jobId();
    if (request.jobId() != null && !request.jobId().equals(jobId)) {
      throw Outdated.failure(
          "Flink was asked to run job %s, not %s".formatted(jobId, request.jobId()));
    }
  }
}
