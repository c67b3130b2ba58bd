package dev.sluice.activities.cluster;

import dev.sluice.activities.kubernetes.ClusterAnnotations;
import dev.sluice.activities.resource.HostedJob.Submitted;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.api.common.HighAvailabilityMode;
import dev.sluice.workflows.model.ClusterObservation;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.ClusterObservation.JobManager;
import dev.sluice.workflows.model.ClusterRef;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Puts what Kubernetes has of a session cluster into the {@link ClusterObservation} of one job on
 * it: what the Deployment is for a job that has a cluster of its own is here what Flink was asked
 * to run. Pure.
 */
public final class HostEvidence {

  /**
   * How long after it was sent a run may still start its job, where nothing better is known: its
   * main method is at work, whether or not anybody waits for the answer.
   */
  public static final Duration MAY_ARRIVE = Duration.ofMinutes(10);

  /** Later than that, Flink may have had the job, and have forgotten how it ended. */
  private static final Duration REMEMBERED = Duration.ofMinutes(2);

  private HostEvidence() {}

  /** What became of the run of a job that Flink does not know. */
  public enum Run {
    /** None was sent, or it may arrive: the process that was asked is the one that answers. */
    AWAITED,
    /** It is not known whether the process that answers is the one that was asked. */
    OPEN,
    /** It may have run until its process went, or until Flink has forgotten it. */
    LOST
  }

  /**
   * @param deployment of the JobManager; null when there is none
   */
  public static Run run(
      Submitted submitted, @Nullable Deployment deployment, List<Pod> pods, Instant now) {
    Instant sentAt = submitted.sentAt();
    if (sentAt == null) {
      return Run.AWAITED;
    }
    if (isElsewhere(submitted, deployment, pods) || now.isAfter(sentAt.plus(MAY_ARRIVE))) {
      return Run.LOST;
    }
    return Objects.equals(submitted.jobManager(), process(pods)) ? Run.AWAITED : Run.OPEN;
  }

  /**
   * Whether the process that was asked is the only one that is there: any call reaches it then, and
   * what it says of itself goes for all.
   */
  public static boolean isAskedAlone(Submitted submitted, List<Pod> pods) {
    String asked = submitted.jobManager();
    return asked != null && !asked.contains(" ") && asked.equals(process(pods));
  }

  /** Whether it is certain that it was sent to another cluster, or process, than is there. */
  public static boolean isElsewhere(
      Submitted submitted, @Nullable Deployment deployment, List<Pod> pods) {
    return isOtherProcess(submitted, pods)
        || (deployment != null && !isSameCluster(submitted, deployment));
  }

  /**
   * @param running the session cluster, with the configuration of the job
   * @param deployment of its JobManager; null when there is none
   * @param objects what Kubernetes has of it
   * @param submitted what Flink was asked to run, if that counts as there; else null
   * @param prepared the job that was last about to be started, or was seen last; null for none
   * @param unknown Flink answers, and does not know the job
   * @param now when it said so
   */
  public static ClusterObservation of(
      RunningCluster running,
      @Nullable Deployment deployment,
      ClusterObjects objects,
      @Nullable Submitted submitted,
      @Nullable String prepared,
      boolean unknown,
      Instant now) {
    return new ClusterObservation(
        running.ref(),
        submitted != null,
        submitted == null ? null : submitted.generation(),
        submitted == null ? null : submitted.jobId(),
        prepared,
        submitted != null && unknown && hasNotRun(submitted, objects.pods(), now)
            ? JobManager.NEVER_READY
            : JobManager.MAY_HAVE_RUN,
        highAvailability(running, objects, prepared),
        0, // no pod is the job's own
        deployment == null ? null : PodProblems.first(objects.pods(), List.of(deployment)),
        false);
  }

  private static HighAvailability highAvailability(
      RunningCluster running, ClusterObjects objects, @Nullable String jobId) {
    return HighAvailabilityMetadata.evidence(
        running.ref(),
        HighAvailabilityMode.of(running.configuration()).isOn(),
        jobId,
        objects.configMaps());
  }

  /**
   * Whether a job that Flink does not know may come back on that cluster: by its metadata, as that
   * of the JobManager that is about to read it.
   */
  public static boolean mayComeBack(RunningCluster running, ClusterObjects objects, String jobId) {
    HighAvailability metadata = highAvailability(running, objects, jobId);
    return metadata == HighAvailability.CHECKPOINT || metadata == HighAvailability.NO_CHECKPOINT;
  }

  /** Whether there is metadata of that job, whatever the cluster was configured with. */
  public static boolean hasMetadata(ClusterRef cluster, ClusterObjects objects, String jobId) {
    return HighAvailabilityMetadata.isThere(cluster, jobId, objects.configMaps());
  }

  /** Whether the cluster is the one that Flink was asked on; an unknown one counts as the same. */
  public static boolean isSameCluster(Submitted submitted, Deployment deployment) {
    String there = ClusterAnnotations.jobId(deployment);
    return submitted.clusterId() == null || there == null || submitted.clusterId().equals(there);
  }

  /**
   * What distinguishes the process of the one JobManager from the next: the main container of each
   * pod that is there, also of one that is on its way out; null when that is not known. Another
   * container of the pod may be restarted while the JobManager runs on.
   */
  public static @Nullable String process(List<Pod> pods) {
    List<String> containers = processes(pods);
    return containers.isEmpty() || containers.contains("") ? null : String.join(" ", containers);
  }

  private static List<String> processes(List<Pod> pods) {
    return pods.stream()
        .filter(pod -> !ClusterSelector.isTaskManager(pod) && !PodCounts.isOver(pod))
        .map(HostEvidence::mainContainer)
        .sorted()
        .toList();
  }

  /** Empty text while it is not known. */
  private static String mainContainer(Pod pod) {
    return pod.getStatus() == null
        ? ""
        : pod.getStatus().getContainerStatuses().stream()
            .filter(it -> JobManagerEvidence.MAIN_CONTAINER.equals(it.getName()))
            .map(it -> Objects.requireNonNullElse(it.getContainerID(), ""))
            .findFirst()
            .orElse("");
  }

  /**
   * Whether it is certain that every process that was asked is gone. One whose pod terminates may
   * run jobs for as long as that takes.
   */
  public static boolean isOtherProcess(Submitted submitted, List<Pod> pods) {
    String asked = submitted.jobManager();
    List<String> now = processes(pods);
    return asked != null
        && !now.isEmpty()
        && !now.contains("")
        && Collections.disjoint(List.of(asked.split(" ", -1)), now);
  }

  private static boolean hasNotRun(Submitted submitted, List<Pod> pods, Instant now) {
    Instant sentAt = submitted.sentAt();
    return submitted.jobManager() != null
        && submitted.jobManager().equals(process(pods))
        && (sentAt == null || !now.isAfter(sentAt.plus(REMEMBERED)));
  }
}
