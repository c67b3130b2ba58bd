package dev.sluice.activities.sessionjob;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.cluster.ClusterEvidence;
import dev.sluice.activities.cluster.ClusterObjects;
import dev.sluice.activities.cluster.ClusterReader;
import dev.sluice.activities.cluster.HostEvidence;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkJars;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.activities.resource.HostedJob;
import dev.sluice.activities.resource.HostedJob.Submitted;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.workflows.model.ResourceRef;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The session clusters of jobs, as the activities look at them.
 *
 * @param store reads the jobs
 * @param reader reads the objects of the clusters
 * @param access says where such calls are made
 * @param flink asks the JobManagers
 * @param jars those that the JobManagers have
 */
record SessionClusters(
    FlinkSessionJobStore store,
    ClusterReader reader,
    ClusterAccess access,
    FlinkRest flink,
    FlinkJars jars) {

  /**
   * A session cluster at one moment.
   *
   * @param running with the configuration of the job
   * @param objects what Kubernetes has of it
   * @param submitted what Flink was asked to run, and no operation has ended; null for none
   * @param awaits what keeps it from being sent a job now; null when nothing does
   */
  record Seen(
      RunningCluster running,
      ClusterObjects objects,
      @Nullable Submitted submitted,
      @Nullable String awaits) {

    Endpoint endpoint() {
      return running.endpoint();
    }

    /** Whether a job that Flink does not know may come back, as its metadata says. */
    boolean mayComeBack(String jobId) {
      return HostEvidence.mayComeBack(running, objects, jobId);
    }
  }

  StoredSessionJob read(ResourceRef job) {
    return (StoredSessionJob) store.read(job);
  }

  /** The session cluster of a job that was read a moment ago. Blocks. */
  Seen see(ResourceRef ref, StoredSessionJob job) {
    HostedJob hosted = job.hosted().orElseThrow();
    ClusterObjects objects = reader.objects(job.cluster());
    String awaits =
        SessionPlace.waitsFor(hosted.hostName(), job.place(), hosted.host(ref), () -> objects)
            .orElse(null);
    return new Seen(store.running(ref, job), objects, hosted.there(), awaits);
  }

  /** Why there is no JobManager; empty when there is one. */
  static Optional<String> absence(ResourceRef ref, StoredSessionJob job, ClusterObjects objects) {
    Optional<ResourceRef> host = job.hosted().orElseThrow().host(ref);
    return host.isEmpty()
        ? Optional.of("its FlinkDeployment does not exist")
        : ClusterEvidence.deployment(objects, host.get()).isPresent()
            ? Optional.empty()
            : Optional.of(ClusterEvidence.absence(objects, host.get()));
  }

  /**
   * Asks Flink for its jobs.
   *
   * @param silent the outcome, from words that say why there is no answer
   * @param next takes the answer
   */
  ProbeResult<Void> ask(
      Seen seen,
      Function<String, ProbeResult<Void>> silent,
      Function<JobsOverview, ProbeResult<Void>> next) {
    JobsOverview answer;
    try {
      answer = flink.jobsOverview(seen.endpoint());
    } catch (FlinkRestException away) {
      return silent.apply(
          "the JobManager of %s does not answer: %s".formatted(seen.endpoint(), away.getMessage()));
    }
    return next.apply(answer);
  }
}
