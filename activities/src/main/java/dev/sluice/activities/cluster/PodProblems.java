package dev.sluice.activities.cluster;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.Comparator;
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
  private static final String UNSCHEDULABLE = "Unschedulable";

  // one or two crashes are usual while a cluster comes up, e.g. before its storage answers
  private static final int CRASHES = 3;

  private PodProblems() {}

  /** All of them, the lasting ones first; empty when nothing is wrong. */
  public static List<PodProblem> of(List<Pod> pods, List<Deployment> deployments) {
    Stream<PodProblem> inPods =
        pods.stream()
            .filter(it -> it.getMetadata().getDeletionTimestamp() == null && it.getStatus() != null)
            .flatMap(PodProblems::of);
    return Stream.concat(deployments.stream().flatMap(PodProblems::refused), inPods)
        .sorted(Comparator.comparing(PodProblem::lasting).reversed())
        .toList();
  }

  /** The message of the first of them; null when nothing is wrong. */
  static @Nullable String first(List<Pod> pods, List<Deployment> deployments) {
    return of(pods, deployments).stream().map(PodProblem::message).findFirst().orElse(null);
  }

  private static Stream<PodProblem> of(Pod pod) {
    PodStatus status = pod.getStatus();
    Stream<PodProblem> waiting =
        Stream.of(status.getInitContainerStatuses(), status.getContainerStatuses())
            .flatMap(List::stream)
            .filter(it -> it.getState() != null && it.getState().getWaiting() != null)
            .flatMap(it -> waiting(pod, it, it.getState().getWaiting()).stream());
    Stream<PodProblem> unscheduled =
        status.getConditions().stream()
            .filter(it -> "PodScheduled".equals(it.getType()) && "False".equals(it.getStatus()))
            .filter(it -> UNSCHEDULABLE.equals(it.getReason()))
            .map(it -> "pod " + name(pod) + " cannot be scheduled" + detail(it.getMessage()))
            .map(text -> new PodProblem(UNSCHEDULABLE, text, false));
    return Stream.concat(waiting, unscheduled);
  }

  private static Optional<PodProblem> waiting(
      Pod pod, ContainerStatus container, ContainerStateWaiting waiting) {
    String reason = String.valueOf(waiting.getReason());
    if (reason.equals(CRASH_LOOP)) {
      return crashesOften(container) ? Optional.of(crashLoop(pod, container)) : Optional.empty();
    }
    boolean noImage = PodProblem.NO_IMAGE.contains(reason);
    String cannot = noImage ? "cannot get image " + container.getImage() : "cannot start";
    String remedy = noImage ? " Correct spec.image or the pull secret." : "";
    return noImage || NO_START.contains(reason)
        ? Optional.of(
            new PodProblem(
                reason,
                "container %s of pod %s %s: %s%s.%s"
                    .formatted(
                        container.getName(),
                        name(pod),
                        cannot,
                        reason,
                        detail(waiting.getMessage()),
                        remedy),
                true))
        : Optional.empty();
  }

  /** Whether a container has crashed more often than is usual while a cluster comes up. */
  public static boolean crashesOften(ContainerStatus container) {
    return restarts(container) >= CRASHES;
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
                    .filter(container -> restarts(container) > 0)
                    .map(container -> ended(name(pod), container, "ended")))
        .findFirst();
  }

  /** The problem of a container that crashes again and again. */
  public static PodProblem crashLoop(Pod pod, ContainerStatus container) {
    return new PodProblem(CRASH_LOOP, ended(name(pod), container, "crashed"), true);
  }

  private static int restarts(ContainerStatus container) {
    return Objects.requireNonNullElse(container.getRestartCount(), 0);
  }

  private static String ended(String pod, ContainerStatus container, String verb) {
    ContainerState last = container.getLastState();
    ContainerStateTerminated end = last == null ? null : last.getTerminated();
    String how =
        end == null
            ? ""
            : ", the last time with exit code %s%s"
                .formatted(
                    end.getExitCode(),
                    detail(end.getMessage()).isEmpty()
                        ? detail(end.getReason())
                        : detail(end.getMessage()));
    int times = restarts(container);
    return "container %s of pod %s %s %s%s. See kubectl logs %s --previous."
        .formatted(
            container.getName(), pod, verb, times == 1 ? "once" : times + " times", how, pod);
  }

  /** By a quota, a policy or a missing right. */
  private static Stream<PodProblem> refused(Deployment deployment) {
    String pod =
        ClusterSelector.isTaskManager(deployment) ? "a TaskManager pod" : "the JobManager pod";
    return Stream.ofNullable(deployment.getStatus())
        .flatMap(status -> status.getConditions().stream())
        .filter(it -> "ReplicaFailure".equals(it.getType()) && "True".equals(it.getStatus()))
        .map(it -> "Kubernetes refuses " + pod + detail(it.getMessage()))
        .map(text -> new PodProblem("ReplicaFailure", text, true));
  }

  private static String name(Pod pod) {
    return pod.getMetadata().getName();
  }

  private static String detail(@Nullable String text) {
    return text == null || text.isBlank() ? "" : ": " + text.strip().lines().findFirst().orElse("");
  }
}
