package dev.sluice.activities.cluster;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.cluster.SessionJobSource.SessionJob;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.activities.resource.ResourceStore;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.ClusterActivities.AwaitNoJobsRequest;
import dev.sluice.workflows.activity.ClusterActivities.HeldDeletion;
import dev.sluice.workflows.activity.ClusterActivities.SuspendSessionJobsRequest;
import dev.sluice.workflows.model.ClusterObservation;
import dev.sluice.workflows.model.JobsOnCluster;
import dev.sluice.workflows.model.ResourceRef;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs would be lost with a session cluster, and which of them hold its deletion. What Flink
 * does not report is not known, unless nothing of the cluster can run; it is never "none"
 * (FLINK-40542). Blocks for some calls to the API server.
 */
final class SessionJobsCheck {

  /** Whether its deletion waits for its FlinkSessionJobs; true where it is not set. */
  static final String BLOCK_ON_SESSION_JOBS =
      "kubernetes.operator.session.deletion.block-on-session-jobs";

  /** The same for live jobs that belong to no FlinkSessionJob. */
  static final String BLOCK_ON_UNMANAGED_JOBS =
      "kubernetes.operator.session.deletion.block-on-unmanaged-jobs";

  private static final String SILENT =
      "The JobManager does not answer, so it is not known which jobs run on the session cluster";

  private final ResourceRef owner;
  private final ResourceStore store;
  private final ClusterReader reader;
  private final FlinkRest flink;
  private final SessionJobSource sessionJobs;
  private final Endpoint endpoint;

  SessionJobsCheck(
      ResourceRef owner,
      ResourceStore store,
      ClusterReader reader,
      FlinkRest flink,
      SessionJobSource sessionJobs) {
    this.owner = owner;
    this.store = store;
    this.reader = reader;
    this.flink = flink;
    this.sessionJobs = sessionJobs;
    this.endpoint = store.running(owner).endpoint();
  }

  /** What Flink answers now; null when it does not. */
  @Nullable JobsOverview ask() {
    try {
      return flink.jobsOverview(endpoint);
    } catch (FlinkRestException silent) {
      return null;
    }
  }

  /** Whether what holds its deletion has changed. */
  ProbeResult<HeldDeletion> look(AwaitNoJobsRequest request, Instant now) {
    HeldDeletion held = held(ask());
    // jobs that come and go are no news as long as there are any
    boolean news = held.reason() == null || !held.reason().equals(request.known().reason());
    return answer(held, news, now, request.deadlineMs());
  }

  /** Whether its FlinkSessionJobs have suspended their jobs. */
  ProbeResult<HeldDeletion> look(SuspendSessionJobsRequest request, Instant now) {
    HeldDeletion left = notSuspended(ask(), now);
    return answer(left, left.reason() == null, now, request.deadlineMs());
  }

  private static ProbeResult<HeldDeletion> answer(
      HeldDeletion held, boolean news, Instant now, long deadlineMs) {
    return news || now.toEpochMilli() >= deadlineMs
        ? ProbeResult.done(held)
        : ProbeResult.notYet(held.message());
  }

  /**
   * Why the cluster must not go; empty when no job is on it.
   *
   * @param answer what Flink answered now; null when it did not
   */
  Optional<String> running(@Nullable JobsOverview answer) {
    Optional<List<String>> jobs = jobs(answer);
    if (jobs.isEmpty()) {
      return Optional.of(SILENT);
    }
    return jobs.get().isEmpty()
        ? Optional.empty()
        : Optional.of("Jobs run on the session cluster: " + JobsOnCluster.named(jobs.get()));
  }

  /**
   * What holds its deletion, by the newest spec.
   *
   * @param answer as in {@link #running}
   */
  HeldDeletion held(@Nullable JobsOverview answer) {
    FlinkConfiguration newest = store.newest(owner);
    List<SessionJob> managed = managed();
    if (newest.isOn(BLOCK_ON_SESSION_JOBS, true) && !managed.isEmpty()) {
      return new HeldDeletion(
          Reasons.OTHER_JOBS,
          "The session cluster has FlinkSessionJobs: %s. Delete them first, or set %s to false."
              .formatted(
                  JobsOnCluster.named(managed.stream().map(SessionJob::name).sorted().toList()),
                  BLOCK_ON_SESSION_JOBS));
    }
    return newest.isOn(BLOCK_ON_UNMANAGED_JOBS, true)
        ? unmanaged(answer, managed)
        : HeldDeletion.NOTHING;
  }

  /**
   * Which FlinkSessionJobs have a live job on the cluster, which has to be suspended before that is
   * replaced, or one that has just ended: only this cluster knows what it left, until the operation
   * has recorded that.
   *
   * @param answer as in {@link #running}
   * @param now one that Flink was asked for a moment before may still come
   */
  HeldDeletion notSuspended(@Nullable JobsOverview answer, Instant now) {
    if (answer == null) {
      return new HeldDeletion(
          Reasons.CLUSTER_NOT_READY,
          SILENT
              + ". It is replaced once it answers and no FlinkSessionJob has a job on it; "
              + "sluice.dev/abort leaves it as it is.");
    }
    List<String> alive = ids(answer.alive());
    List<String> known = ids(answer.jobs());
    List<String> live =
        managed().stream()
            .filter(it -> it.jobId() != null)
            .filter(
                it ->
                    (it.isAtWork() ? known : alive).contains(it.jobId())
                        || it.isBeingSent(now)
                        || it.isBeingStopped())
            .map(SessionJob::display)
            .sorted()
            .toList();
    return live.isEmpty()
        ? HeldDeletion.NOTHING
        : new HeldDeletion(
            Reasons.OTHER_JOBS,
            "The session cluster is replaced once these FlinkSessionJobs have suspended their jobs: %s. Suspend or delete them, or let sluice.dev/abort leave the cluster as it is."
                .formatted(JobsOnCluster.named(live)));
  }

  /**
   * Which FlinkSessionJobs have sent a job that Flink may still take, or stop one and have not
   * recorded yet what it left; empty when none has. One that is held is not waited for.
   */
  Optional<String> beingSentOrStopped(Instant now) {
    List<String> busy =
        managed().stream()
            .filter(it -> it.isBeingSent(now) || (it.isBeingStopped() && !it.isHeld()))
            .map(SessionJob::name)
            .sorted()
            .toList();
    return busy.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "FlinkSessionJobs have sent a job that Flink may still take, or are stopping one: "
                + JobsOnCluster.named(busy));
  }

  private HeldDeletion unmanaged(@Nullable JobsOverview answer, List<SessionJob> managed) {
    List<String> known = managed.stream().map(SessionJob::jobId).filter(Objects::nonNull).toList();
    Optional<List<String>> jobs = jobs(answer);
    if (jobs.isEmpty()) {
      return new HeldDeletion(
          Reasons.CLUSTER_NOT_READY,
          "%s. It is deleted once it answers and no job runs, or when %s is set to false."
              .formatted(SILENT, BLOCK_ON_UNMANAGED_JOBS));
    }
    List<String> unmanaged = jobs.get().stream().filter(it -> !known.contains(it)).toList();
    return unmanaged.isEmpty()
        ? HeldDeletion.NOTHING
        : new HeldDeletion(
            Reasons.OTHER_JOBS,
            "%s: %s. Cancel them, with a savepoint where their state counts, or set %s to false to end them with the cluster."
                .formatted(
                    answer == null
                        ? "The JobManager does not answer, and its high-availability metadata has jobs"
                        : "Jobs run on the session cluster",
                    JobsOnCluster.named(unmanaged),
                    BLOCK_ON_UNMANAGED_JOBS));
  }

  private List<SessionJob> managed() {
    return sessionJobs.of(store.running(owner).ref());
  }

  private static List<String> ids(List<JobOverview> jobs) {
    return jobs.stream().map(JobOverview::jobId).sorted().toList();
  }

  /** Empty when they are not known. */
  private Optional<List<String>> jobs(@Nullable JobsOverview answer) {
    if (answer != null) {
      return Optional.of(ids(answer.alive()));
    }
    RunningCluster running = store.running(owner);
    ClusterObjects objects = reader.objects(running.ref());
    ClusterObservation cluster = ClusterEvidence.of(running, owner, objects, null);
    return cluster.runsNoJobBesideTheMetadata()
        ? Optional.of(ClusterEvidence.jobsInMetadata(running, objects))
        : Optional.empty();
  }
}
