package dev.sluice.activities.cluster;

import dev.sluice.api.common.WrittenTime;
import dev.sluice.workflows.model.ClusterObservation.JobManager;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentCondition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What Kubernetes proves about the JobManager process of a Deployment. Its pods tell of now; only
 * the condition Available tells of pods that are gone. Pure.
 */
final class JobManagerEvidence {

  static final String MAIN_CONTAINER = "flink-main-container";

  // times have whole seconds, and no JobManager comes up and goes away again within one
  private static final Duration PRECISION = Duration.ofSeconds(1);

  private JobManagerEvidence() {}

  /**
   * @param deployment of the JobManager; null when there is none
   * @param pods of the cluster
   */
  static JobManager of(@Nullable Deployment deployment, List<Pod> pods) {
    if (deployment == null) {
      return JobManager.MAY_HAVE_RUN;
    }
    List<Pod> jobManagers =
        pods.stream().filter(pod -> !ClusterSelector.isTaskManager(pod)).toList();
    List<ContainerStatus> containers =
        jobManagers.stream().flatMap(JobManagerEvidence::containers).toList();
    boolean neverRan =
        jobManagers.stream().noneMatch(PodCounts::isOver)
            && containers.stream().noneMatch(JobManagerEvidence::everRan);
    if (neverRan && wasNeverAvailable(deployment)) {
      return JobManager.NEVER_READY;
    }
    boolean anyReady = containers.stream().anyMatch(it -> Boolean.TRUE.equals(it.getReady()));
    if (anyReady || containers.stream().noneMatch(JobManagerEvidence::crashed)) {
      return JobManager.MAY_HAVE_RUN;
    }
    return wasNeverAvailable(deployment) && isAvailableOnceItAnswers(deployment)
        ? JobManager.CRASHED_AT_START
        : JobManager.CRASHING;
  }

  /**
   * Whether no process of a JobManager runs. A pod that terminates, or whose node is lost, may
   * still have one.
   *
   * @param pods of the cluster
   */
  static boolean isStopped(List<Pod> pods) {
    return pods.stream()
        .filter(pod -> !ClusterSelector.isTaskManager(pod))
        .allMatch(JobManagerEvidence::isStopped);
  }

  private static boolean isStopped(Pod pod) {
    PodStatus status = pod.getStatus();
    if (pod.getMetadata().getDeletionTimestamp() != null
        || status == null
        || "Unknown".equals(status.getPhase())
        || "NodeLost".equals(status.getReason())) {
      return false;
    }
    List<ContainerStatus> containers = containers(pod).toList();
    boolean neverBegan = containers.isEmpty() && !PodCounts.isRunning(pod);
    return neverBegan
        || (!containers.isEmpty() && containers.stream().noneMatch(JobManagerEvidence::mayRun));
  }

  /** What says nothing may run. */
  private static boolean mayRun(ContainerStatus container) {
    ContainerState state = container.getState();
    return state == null || (state.getWaiting() == null && state.getTerminated() == null);
  }

  private static Stream<ContainerStatus> containers(Pod pod) {
    if (pod.getStatus() == null) {
      return Stream.empty();
    }
    List<ContainerStatus> all = pod.getStatus().getContainerStatuses();
    List<ContainerStatus> main =
        all.stream().filter(it -> MAIN_CONTAINER.equals(it.getName())).toList();
    return (main.isEmpty() ? all : main).stream();
  }

  private static boolean everRan(ContainerStatus container) {
    ContainerState state = container.getState();
    return restarts(container) > 0
        || terminated(container.getLastState()).isPresent()
        || (state != null && (state.getRunning() != null || state.getTerminated() != null));
  }

  private static boolean crashed(ContainerStatus container) {
    return Stream.of(container.getState(), container.getLastState())
        .map(JobManagerEvidence::terminated)
        .flatMap(Optional::stream)
        .anyMatch(exitCode -> exitCode != 0);
  }

  private static Optional<Integer> terminated(@Nullable ContainerState state) {
    return state == null || state.getTerminated() == null
        ? Optional.empty()
        : Optional.of(Objects.requireNonNullElse(state.getTerminated().getExitCode(), 1));
  }

  private static int restarts(ContainerStatus container) {
    return Objects.requireNonNullElse(container.getRestartCount(), 0);
  }

  /** Available is False since the Deployment exists, or is not set yet. */
  private static boolean wasNeverAvailable(Deployment deployment) {
    return Optional.ofNullable(deployment.getStatus()).stream()
        .flatMap(status -> status.getConditions().stream())
        .filter(condition -> "Available".equals(condition.getType()))
        .allMatch(condition -> isFalseSinceCreation(condition, deployment));
  }

  /** By the startup probe that Sluice gives it. One of a template may fail whatever runs. */
  private static boolean isAvailableOnceItAnswers(Deployment deployment) {
    return Stream.ofNullable(deployment.getSpec())
        .flatMap(it -> it.getTemplate().getSpec().getContainers().stream())
        .filter(it -> MAIN_CONTAINER.equals(it.getName()))
        .anyMatch(
            it ->
                it.getReadinessProbe() == null
                    && it.getStartupProbe() != null
                    && Integer.valueOf(Integer.MAX_VALUE)
                        .equals(it.getStartupProbe().getFailureThreshold()));
  }

  private static boolean isFalseSinceCreation(DeploymentCondition available, Deployment of) {
    Instant created = WrittenTime.read(of.getMetadata().getCreationTimestamp()).orElse(null);
    Instant changed = WrittenTime.read(available.getLastTransitionTime()).orElse(null);
    return "False".equals(available.getStatus())
        && created != null
        && changed != null
        && !changed.isAfter(created.plus(PRECISION));
  }
}
