package dev.sluice.activities.cluster;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
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
    String reason = waiting == null ? null : waiting.getReason();
    if (waiting == null || reason == null) {
      return Optional.empty();
    }
    String name = "container %s of pod %s ".formatted(container.getName(), name(pod));
    String why = reason + detail(waiting.getMessage());
    if (PodProblem.NO_IMAGE.contains(reason)) {
      String text =
          "%scannot get image %s: %s. Correct spec.image or the pull secret."
              .formatted(name, container.getImage(), why);
      return Optional.of(new PodProblem(reason, text, true));
    }
    if (NO_START.contains(reason)) {
      return Optional.of(new PodProblem(reason, name + "cannot start: " + why + ".", true));
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
                    .map(container -> ended(name(pod), container, "ended")))
        .findFirst();
  }

  /** The problem of a container that crashes again and again. */
  public static PodProblem crashLoop(Pod pod, ContainerStatus container) {
    return new PodProblem(CRASH_LOOP, ended(name(pod), container, "crashed"), true);
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
        .filter(it -> "PodScheduled".equals(it.getType()) && "False".equals(it.getStatus()))
        .filter(it -> "Unschedulable".equals(it.getReason()))
        .map(it -> "pod " + name(pod) + " cannot be scheduled" + detail(it.getMessage()))
        .map(text -> new PodProblem("Unschedulable", text, false))
        .findFirst();
  }

  private static Optional<PodProblem> replicaFailure(Deployment deployment) {
    String refused =
        ClusterSelector.isTaskManager(deployment) ? "a TaskManager pod" : "the JobManager pod";
    return Stream.ofNullable(deployment.getStatus())
        .flatMap(status -> status.getConditions().stream())
        .filter(it -> "ReplicaFailure".equals(it.getType()) && "True".equals(it.getStatus()))
        .map(it -> "Kubernetes refuses " + refused + detail(it.getMessage()))
        .map(text -> new PodProblem("ReplicaFailure", text, true))
        .findFirst();
  }

  private static String name(Pod pod) {
    return pod.getMetadata().getName();
  }

  private static @Nullable String first(@Nullable String one, @Nullable String other) {
    return one == null || one.isBlank() ? other : one;
  }

  private static String detail(@Nullable String text) {
    return text == null || text.isBlank() ? "" : ": " + text.strip().lines().findFirst().orElse("");
  }
}
