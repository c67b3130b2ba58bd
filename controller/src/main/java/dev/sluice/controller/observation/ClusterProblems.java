package dev.sluice.controller.observation;

import dev.sluice.activities.cluster.PodProblem;
import dev.sluice.activities.cluster.PodProblems;
import dev.sluice.activities.flink.Redaction;
import dev.sluice.api.Labels;
import dev.sluice.api.common.WrittenTime;
import dev.sluice.api.condition.Reasons;
import dev.sluice.controller.observation.ClusterProblem.Component;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds what is wrong with the pods of a cluster at one moment, without any memory. */
final class ClusterProblems {

  /** A container that runs this long has left its crash loop. */
  private static final Duration STEADY = Duration.ofMinutes(2);

  /** Kubernetes counts a crash after a run of this length as the first one, too. */
  private static final Duration LONG_RUN = Duration.ofMinutes(10);

  /** How long a container that was killed for its memory explains why a job does not run. */
  private static final Duration RECENT = Duration.ofMinutes(10);

  private static final String CANNOT_START =
      " Correct the image or the pod template; see kubectl describe pod %s.";

  /** By the word of Kubernetes; every other one is about an image. */
  private static final Map<String, Kind> KINDS =
      Map.of(
          "ReplicaFailure",
          new Kind(Reasons.FAILED_CREATE, " Remove what refuses it, or correct the spec."),
          "StartError",
          new Kind(Reasons.RUN_CONTAINER_ERROR, CANNOT_START),
          Reasons.RUN_CONTAINER_ERROR,
          new Kind(Reasons.RUN_CONTAINER_ERROR, CANNOT_START),
          Reasons.CREATE_CONTAINER_ERROR,
          new Kind(Reasons.CREATE_CONTAINER_ERROR, CANNOT_START),
          Reasons.CREATE_CONTAINER_CONFIG_ERROR,
          new Kind(
              Reasons.CREATE_CONTAINER_CONFIG_ERROR,
              " Create the Secret or ConfigMap that it names, or correct the pod template."),
          Reasons.CRASH_LOOP,
          new Kind(Reasons.CRASH_LOOP, ""),
          Reasons.UNSCHEDULABLE,
          new Kind(Reasons.UNSCHEDULABLE, " Add nodes, or request less."));

  private static final Kind IMAGE = new Kind(Reasons.IMAGE_PULL_FAILED, "");

  private final Instant now;
  private final List<ClusterProblem> problems = new ArrayList<>();
  private @Nullable Instant review;

  private ClusterProblems(Instant now) {
    this.now = now;
  }

  /**
   * @param advice whole sentence; {@code %s} is the name of the pod
   */
  private record Kind(String reason, String advice) {}

  /**
   * @param jobManager its Deployment
   * @param taskManagers their Deployment, in standalone mode
   */
  static ClusterHealth of(
      Deployment jobManager, Optional<Deployment> taskManagers, Collection<Pod> pods, Instant now) {
    ClusterProblems found = new ClusterProblems(now);
    Instant made = found.made(jobManager);
    found.refusals(jobManager, Component.JOB_MANAGER, made);
    taskManagers.ifPresent(it -> found.refusals(it, Component.TASK_MANAGER, made));
    pods.stream()
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .sorted(Comparator.comparing(pod -> pod.getMetadata().getUid()))
        .forEach(found::pod);
    found.memoryKills(pods);
    found.problems.sort(
        Comparator.comparing(ClusterProblem::component)
            .thenComparing(ClusterProblem::lasting, Comparator.reverseOrder()));
    return new ClusterHealth(found.problems, found.review);
  }

  private void refusals(Deployment deployment, Component component, Instant at) {
    PodProblems.of(List.of(), List.of(deployment))
        .forEach(it -> add(it, component, deployment.getMetadata().getName(), at));
  }

  private void pod(Pod pod) {
    PodProblems.of(List.of(pod), List.of()).stream()
        .filter(it -> !it.reason().equals(Reasons.CRASH_LOOP))
        .forEach(it -> add(it, pod));
    containers(pod, PodStatus::getInitContainerStatuses, PodStatus::getContainerStatuses)
        .filter(this::isInCrashLoop)
        .forEach(
            container -> {
              lastMemoryKill(pod, container)
                  .ifPresentOrElse(
                      kill -> add(kill, true),
                      () -> add(PodProblems.crashLoop(pod, container), pod));
              steadyAt(container).ifPresent(this::reviewAt);
            });
  }

  /**
   * Whether a container crashes again and again, also while it runs in between: Kubernetes shows
   * {@code CrashLoopBackOff} only while it waits.
   */
  private boolean isInCrashLoop(ContainerStatus container) {
    return PodProblems.crashesOften(container)
        && end(container).filter(ClusterProblems::isEarly).isPresent()
        && steadyAt(container).filter(at -> !at.isAfter(now)).isEmpty();
  }

  private static boolean isEarly(ContainerStateTerminated end) {
    Optional<Instant> from = WrittenTime.read(end.getStartedAt());
    Optional<Instant> to = WrittenTime.read(end.getFinishedAt());
    return from.isEmpty()
        || to.isEmpty()
        || Duration.between(from.get(), to.get()).compareTo(LONG_RUN) < 0;
  }

  /** When a container that runs has left its crash loop, unless it crashes before. */
  private static Optional<Instant> steadyAt(ContainerStatus container) {
    return Optional.ofNullable(container.getState())
        .map(ContainerState::getRunning)
        .flatMap(running -> WrittenTime.read(running.getStartedAt()))
        .map(it -> it.plus(STEADY));
  }

  /** How a container ended last. */
  private static Optional<ContainerStateTerminated> end(ContainerStatus container) {
    return ends(container).findFirst();
  }

  /** The last one first. */
  private static Stream<ContainerStateTerminated> ends(ContainerStatus container) {
    return Stream.of(
            Optional.ofNullable(container.getState()),
            Optional.ofNullable(container.getLastState()))
        .flatMap(Optional::stream)
        .flatMap(state -> Stream.ofNullable(state.getTerminated()));
  }

  /** A container of a pod that is still there, which the kernel killed for its memory. */
  private record MemoryKill(Component component, String pod, String container, Instant at) {

    static Optional<MemoryKill> of(
        Pod pod, ContainerStatus container, ContainerStateTerminated end) {
      return Optional.of(end)
          .filter(it -> "OOMKilled".equals(it.getReason()))
          .flatMap(it -> WrittenTime.read(it.getFinishedAt()))
          .map(
              at ->
                  new MemoryKill(
                      ClusterProblems.component(pod),
                      pod.getMetadata().getName(),
                      container.getName(),
                      at));
    }

    String message() {
      return "Container %s of %s pod %s was OOMKilled: it used more memory than its limit. Raise the memory of spec.%s, or make the job hold less."
          .formatted(
              container,
              component.word(),
              pod,
              component == Component.JOB_MANAGER ? "jobManager" : "taskManager");
    }
  }

  private static Optional<MemoryKill> lastMemoryKill(Pod pod, ContainerStatus container) {
    return end(container).flatMap(it -> MemoryKill.of(pod, container, it));
  }

  /** The newest of each component explains as much as all of them. */
  private void memoryKills(Collection<Pod> pods) {
    pods.stream()
        .flatMap(
            pod ->
                containers(pod, PodStatus::getContainerStatuses)
                    .flatMap(
                        container ->
                            ends(container)
                                .flatMap(end -> MemoryKill.of(pod, container, end).stream())))
        .filter(kill -> kill.at().isAfter(now.minus(RECENT)))
        .sorted(Comparator.comparing(MemoryKill::at).reversed())
        .forEach(
            kill -> {
              if (problems.stream()
                  .filter(it -> it.component() == kill.component())
                  .noneMatch(it -> it.reason().equals(Reasons.OOM_KILLED))) {
                add(kill, false);
                reviewAt(kill.at().plus(RECENT));
              }
            });
  }

  private void add(MemoryKill kill, boolean lasting) {
    problems.add(
        new ClusterProblem(
            Reasons.OOM_KILLED, kill.component(), kill.message(), lasting, kill.at()));
  }

  private void add(PodProblem problem, Pod pod) {
    add(problem, component(pod), pod.getMetadata().getName(), made(pod));
  }

  private void add(PodProblem problem, Component component, String pod, Instant at) {
    Kind kind = KINDS.getOrDefault(problem.reason(), IMAGE);
    String text = problem.message();
    String sentence =
        "%s: %s%s%s"
            .formatted(
                component.word(),
                text,
                text.endsWith(".") ? "" : ".",
                kind.advice().formatted(pod));
    problems.add(
        new ClusterProblem(
            kind.reason(), component, Redaction.redact(sentence), problem.lasting(), at));
  }

  private void reviewAt(Instant at) {
    if (at.isAfter(now) && (review == null || at.isBefore(review))) {
      review = at;
    }
  }

  private Instant made(HasMetadata object) {
    return WrittenTime.read(object.getMetadata().getCreationTimestamp()).orElse(now);
  }

  private static Component component(Pod pod) {
    return Labels.COMPONENT_TASK_MANAGER.equals(Labels.of(pod, Labels.COMPONENT))
        ? Component.TASK_MANAGER
        : Component.JOB_MANAGER;
  }

  @SafeVarargs
  private static Stream<ContainerStatus> containers(
      Pod pod, Function<PodStatus, List<ContainerStatus>>... kinds) {
    return Optional.ofNullable(pod.getStatus()).stream()
        .flatMap(status -> Stream.of(kinds).map(kind -> kind.apply(status)))
        .filter(Objects::nonNull)
        .flatMap(List::stream);
  }
}
