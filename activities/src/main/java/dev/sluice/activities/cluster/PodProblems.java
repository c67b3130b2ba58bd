package dev.sluice.activities.cluster;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentCondition;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads from pods and their Deployments what keeps a cluster from coming up. Pure. */
public final class PodProblems {

  private static final Set<String> NO_START =
      Set.of(
          "CreateContainerConfigError", "CreateContainerError", "RunContainerError", "StartError");
  private static final String CRASH_LOOP = "CrashLoopBackOff";

  // one or two crashes are usual while a cluster comes up, e.g. before its storage answers
  private static final int CRASHES = 3;

  private PodProblems() {}

  /** All of them, the lasting ones first; empty when nothing is wrong. */
  public static List<PodProblem> of(List<Pod> pods, List<Deployment> deployments) {
    Stream<PodProblem> quota =
        deployments.stream().flatMap(deployment -> replicaFailure(deployment).stream());
    Stream<PodProblem> inPods =
        pods.stream()
            .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
            .flatMap(PodProblems::of);
    return Stream.concat(quota, inPods)
        .sorted((a, b) -> Boolean.compare(b.lasting(), a.lasting()))
        .toList();
  }

  private static Stream<PodProblem> of(Pod pod) {
    if (pod.getStatus() == null) {
      return Stream.empty();
    }
    Stream<PodProblem> containers =
        Stream.concat(
                pod.getStatus().getInitContainerStatuses().stream(),
                pod.getStatus().getContainerStatuses().stream())
            .flatMap(container -> of(pod, container).stream());
    return Stream.concat(containers, unschedulable(pod).stream());
  }

  private static Optional<PodProblem> of(Pod pod, ContainerStatus container) {
    ContainerState state = container.getState();
    ContainerStateWaiting waiting = state == null ? null : state.getWaiting();
    if (waiting == null || waiting.getReason() == null) {
      return Optional.empty();
    }
    String reason = waiting.getReason();
    String name = pod.getMetadata().getName();
    if (PodProblem.NO_IMAGE.contains(reason)) {
      return lasting(
          reason,
          "container %s of pod %s cannot get image %s: %s%s. Correct spec.image or the pull secret."
              .formatted(
                  container.getName(),
                  name,
                  container.getImage(),
                  reason,
                  detail(waiting.getMessage())));
    }
    if (NO_START.contains(reason)) {
      return lasting(
          reason,
          "container %s of pod %s cannot start: %s%s."
              .formatted(container.getName(), name, reason, detail(waiting.getMessage())));
    }
    return reason.equals(CRASH_LOOP) && crashesOften(container)
        ? Optional.of(crashLoop(pod, container))
        : Optional.empty();
  }

  /** Whether a container has crashed more often than is usual while a cluster comes up. */
  public static boolean crashesOften(ContainerStatus container) {
    return crashes(container) >= CRASHES;
  }

  /**
   * That a JobManager was started again, which a job that cannot be submitted causes; in words.
   *
   * @param pods of the cluster
   */
  public static Optional<String> jobManagerRestarted(List<Pod> pods) {
    return pods.stream()
        .filter(pod -> !ClusterSelector.isTaskManager(pod) && pod.getStatus() != null)
        .flatMap(
            pod ->
                pod.getStatus().getContainerStatuses().stream()
                    .filter(container -> crashes(container) > 0)
                    .map(container -> ended(pod.getMetadata().getName(), container, "ended")))
        .findFirst();
  }

  /** The problem of a container that crashes again and again. */
  public static PodProblem crashLoop(Pod pod, ContainerStatus container) {
    return new PodProblem(
        CRASH_LOOP, ended(pod.getMetadata().getName(), container, "crashed"), true);
  }

  private static int crashes(ContainerStatus container) {
    return Objects.requireNonNullElse(container.getRestartCount(), 0);
  }

  private static String ended(String pod, ContainerStatus container, String verb) {
    ContainerState last = container.getLastState();
    ContainerStateTerminated end = last == null ? null : last.getTerminated();
    String how =
        end == null
            ? ""
            : ", the last time with exit code %s%s"
                .formatted(end.getExitCode(), detail(first(end.getMessage(), end.getReason())));
    int times = crashes(container);
    return "container %s of pod %s %s %s%s. See kubectl logs %s --previous."
        .formatted(
            container.getName(), pod, verb, times == 1 ? "once" : times + " times", how, pod);
  }

  private static Optional<PodProblem> unschedulable(Pod pod) {
    return pod.getStatus().getConditions().stream()
        .filter(c -> "PodScheduled".equals(c.getType()) && "False".equals(c.getStatus()))
        .filter(c -> "Unschedulable".equals(c.getReason()))
        .map(PodCondition::getMessage)
        .map(
            message ->
                new PodProblem(
                    "Unschedulable",
                    "pod " + pod.getMetadata().getName() + " cannot be scheduled" + detail(message),
                    false))
        .findFirst();
  }

  private static Optional<PodProblem> replicaFailure(Deployment deployment) {
    return deployment.getStatus() == null
        ? Optional.empty()
        : deployment.getStatus().getConditions().stream()
            .filter(c -> "ReplicaFailure".equals(c.getType()) && "True".equals(c.getStatus()))
            .map(DeploymentCondition::getMessage)
            .map(
                message ->
                    new PodProblem(
                        "ReplicaFailure",
                        "Kubernetes refuses "
                            + (ClusterSelector.isTaskManager(deployment)
                                ? "a TaskManager pod"
                                : "the JobManager pod")
                            + detail(message),
                        true))
            .findFirst();
  }

  private static Optional<PodProblem> lasting(String reason, String message) {
    return Optional.of(new PodProblem(reason, message, true));
  }

  private static @Nullable String first(@Nullable String one, @Nullable String other) {
    return one == null || one.isBlank() ? other : one;
  }

  private static String detail(@Nullable String text) {
    return text == null || text.isBlank() ? "" : ": " + text.strip().lines().findFirst().orElse("");
  }
}
