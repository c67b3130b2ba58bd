package dev.sluice.activities.sessionjob;

import dev.sluice.activities.async.Wait;
import dev.sluice.activities.async.Watcher;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.cluster.ClusterReader;
import dev.sluice.activities.flink.FlinkJars;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.resource.TargetSpec;
import dev.sluice.activities.sessionjob.JarStart.Artifacts;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.SessionJobActivities;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;

/** Wires {@link SessionJobActivities} to what carries them out. */
public final class SessionJobActivitiesImpl implements SessionJobActivities {

  /** Jobs may wait for their session cluster for hours, many of them for one. */
  private static final Duration PATIENT = Duration.ofSeconds(5);

  private final SessionClusters clusters;
  private final SubmissionWriter writer;
  private final JobStarts starts;
  private final Artifacts artifacts;
  private final Watcher watcher;

  /**
   * @param starts closed by who made them
   * @param artifacts fetches the jars
   * @param watcher does the waiting
   */
  public SessionJobActivitiesImpl(
      KubernetesClient client,
      FlinkSessionJobStore store,
      ClusterAccess access,
      FlinkRest flink,
      FlinkJars jars,
      JobStarts starts,
      Artifacts artifacts,
      Watcher watcher) {
    this.clusters = new SessionClusters(store, new ClusterReader(client), access, flink, jars);
    this.writer = new SubmissionWriter(client, store, access.clock());
    this.starts = starts;
    this.artifacts = artifacts;
    this.watcher = watcher;
  }

  @Override
  public void startJob(StartJobRequest request) {
    JobRef job = request.job();
    String key = job.cluster().display();
    JobStartOnSession start = new JobStartOnSession(request, clusters, writer, starts);
    watcher.watch(
        Wait.acting(
                key,
                "job %s to be started on session cluster %s".formatted(job.jobId(), key),
                request.deadlineMs(),
                start::look)
            .timingOutAs(FailureType.CLUSTER_NOT_READY)
            .every(Duration.ofMillis(500), PATIENT)
            .reportingTo(request.resource()));
  }

  @Override
  public void checkJar(CheckJarRequest request) {
    ResourceRef ref = request.resource();
    StoredSessionJob job = clusters.read(ref);
    String key = job.cluster().display();
    TargetSpec frozen = job.frozen().orElse(null);
    if (!(frozen instanceof SessionJobTarget target)
        || target.spec().generation() != request.generation()) {
      throw ApplicationFailure.newNonRetryableFailure(
          "Generation %d of %s is not frozen any more"
              .formatted(request.generation(), ref.display()),
          FailureType.OUTDATED);
    }
    watcher.watch(
        Wait.of(
                key,
                "the jar of %s to be fetched".formatted(ref.display()),
                request.deadlineMs(),
                new JarCheck(target, artifacts)::look)
            .timingOutAs(FailureType.REFUSED)
            .reportingTo(ref));
  }

  @Override
  public void endJob(EndJobRequest request) {
    JobRef job = request.job();
    String key = job.cluster().display();
    JobEndOnSession end = new JobEndOnSession(request, clusters, writer);
    watcher.watch(
        Wait.acting(
                key,
                "job %s to end on session cluster %s".formatted(job.jobId(), key),
                request.deadlineMs(),
                end::look)
            .timingOutAs(FailureType.CLUSTER_NOT_GONE)
            .reportingTo(request.resource()));
  }
}
