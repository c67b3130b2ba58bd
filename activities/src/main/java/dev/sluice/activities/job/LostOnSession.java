package dev.sluice.activities.job;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.cluster.ClusterEvidence;
import dev.sluice.activities.cluster.ClusterObjects;
import dev.sluice.activities.cluster.HostEvidence;
import dev.sluice.activities.cluster.Ownership;
import dev.sluice.activities.flink.Answers;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.resource.HostedJob;
import dev.sluice.activities.resource.HostedJob.Submitted;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.JobActivities.TakenState;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether nothing can run a job of a session cluster any more, or complete a checkpoint of it: the
 * cluster answers and does not know it, no metadata brings it back, and the JobManager process that
 * was asked to run it is gone. One instance for each attempt of an activity.
 */
final class LostOnSession {

  /** The status of a pod is behind its containers by a few seconds. */
  private static final Duration SAME_PROCESS = Duration.ofSeconds(20);

  private final ResourceRef ref;
  private final JobTarget target;
  private final ClusterAccess access;
  private final FlinkRest flink;
  private final Supplier<StoredResource> resource;
  private final SettleTimer sameProcess;
  private volatile List<Pod> pods = List.of();
  private volatile @Nullable String process;

  /**
   * @param resource reads it, and blocks
   */
  LostOnSession(
      ResourceRef ref,
      JobTarget target,
      ClusterAccess access,
      FlinkRest flink,
      Supplier<StoredResource> resource) {
    this.ref = ref;
    this.target = target;
    this.access = access;
    this.flink = flink;
    this.resource = resource;
    this.sameProcess = new SettleTimer(access.clock(), SAME_PROCESS);
  }

  /**
   * Looks once. Done when the job is gone.
   *
   * @param unknown the outcome where that can never be certain, from words that say why
   */
  ProbeResult<TakenState> look(Function<String, ProbeResult<TakenState>> unknown) {
    ProbeResult<TakenState> cluster = cluster();
    return cluster instanceof ProbeResult.Done<TakenState> done && done.result() == null
        ? askFlink(unknown)
        : cluster;
  }

  /** Done with null when Flink is to be asked. Blocks. */
  private ProbeResult<TakenState> cluster() {
    HostedJob hosted = resource.get().hosted().orElseThrow();
    ClusterRef cluster = target.cluster().ref();
    pods = access.live().pods(cluster);
    ClusterObjects objects =
        new ClusterObjects(
            access.live().deployment(cluster),
            Optional.empty(),
            pods,
            access.live().highAvailability(cluster));
    if (HostEvidence.mayComeBack(target.cluster(), objects, target.jobId())) {
      return ProbeResult.notYet("the job is still in the metadata of its session cluster");
    }
    Deployment deployment = objects.deployment().orElse(null);
    if (deployment == null) {
      return pods.isEmpty() ? gone() : ProbeResult.notYet(pods.size() + " pods left");
    }
    ResourceRef host = hosted.host(ref).orElse(null);
    if (host == null || !Ownership.isRunning(deployment, host)) {
      return ProbeResult.notYet(
          "the session cluster of %s is not there: %s"
              .formatted(
                  hosted.display(),
                  host == null ? "it does not exist" : ClusterEvidence.absence(objects, host)));
    }
    Submitted submitted = hosted.there();
    process = submitted == null ? null : submitted.jobManager();
    return ProbeResult.done(null);
  }

  /** The JobManager answers, and does not know the job. */
  private ProbeResult<TakenState> unlisted(Function<String, ProbeResult<TakenState>> unknown) {
    String asked = process;
    if (asked == null) {
      return unknown.apply(
          "it is not known which JobManager ran it, so it may still be at work on it");
    }
    Pod left = pods.stream().filter(pod -> hasAny(pod, asked)).findFirst().orElse(null);
    if (left == null) {
      return gone();
    }
    String name = left.getMetadata().getName();
    if (left.getMetadata().getDeletionTimestamp() != null) {
      sameProcess.reset();
      return ProbeResult.notYet("pod " + name + ", which may still run the job, terminates");
    }
    return sameProcess.reached()
        ? unknown.apply(
            "the JobManager in pod %s, which was asked to run it, runs on and does not list it: it has ended, or was never accepted"
                .formatted(name))
        : ProbeResult.notYet("pod " + name + " has the JobManager that was asked to run the job");
  }

  /** Also of a pod that terminates: its process may run the job for as long as it lasts. */
  private static boolean hasAny(Pod pod, String containers) {
    List<String> ids = List.of(containers.split(" "));
    return pod.getStatus() != null
        && pod.getStatus().getContainerStatuses().stream()
            .filter(LostOnSession::mayRun)
            .map(ContainerStatus::getContainerID)
            .filter(Objects::nonNull)
            .anyMatch(ids::contains);
  }

  private static boolean mayRun(ContainerStatus status) {
    ContainerState state = status.getState();
    return state == null || (state.getTerminated() == null && state.getWaiting() == null);
  }

  private ProbeResult<TakenState> askFlink(Function<String, ProbeResult<TakenState>> unknown) {
    try {
      return Answers.await(flink.jobsOverview(target.endpoint())).job(target.jobId()).isPresent()
          ? ProbeResult.failed(
              FailureType.OUTDATED, "the session cluster knows job " + target.jobId())
          : unlisted(unknown);
    } catch (FlinkRestException silent) {
      sameProcess.reset();
      return ProbeResult.notYet("the JobManager does not answer: " + silent.getMessage());
    }
  }

  private static ProbeResult<TakenState> gone() {
    return ProbeResult.done(new TakenState(new StateRef.Empty("not looked for yet"), ""));
  }
}
