package dev.sluice.controller.observation;

import dev.sluice.activities.cluster.PodProblem;
import dev.sluice.activities.cluster.PodProblems;
import dev.sluice.activities.flink.Redaction;
import dev.sluice.api.Labels;
import dev.sluice.api.condition.Reasons;
import dev.sluice.controller.observation.ClusterProblem.Component;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds what is wrong with the pods of a cluster, of one moment. */
final class ClusterProblems {

  /** A node is often found a moment later. */
  private static final Duration FIND_NODE = Duration.ofSeconds(10);

  private final Instant now;
  private final List<ClusterProblem> problems = new ArrayList<>();
  private @Nullable Instant review;

  private ClusterProblems(Instant now) {
    this.now = now;
  }

  /**
   * Of the pods of one cluster.
   *
   * @param deployment of its JobManager
   * @param taskManagers their Deployment, in standalone mode
   */
  static ClusterHealth of(
      Deployment deployment, Optional<Deployment> taskManagers, Collection<Pod> pods, Instant now) {
    ClusterProblems found = new ClusterProblems(now);
    String name = deployment.getMetadata().getName();
    Instant made =
        KubernetesTime.parse(deployment.getMetadata().getCreationTimestamp()).orElse(now);
    PodProblems.of(List.of(), List.of(deployment))
        .forEach(it -> found.add(it, Component.JOB_MANAGER, name, made));
    taskManagers.ifPresent(
        it ->
            PodProblems.of(List.of(), List.of(it))
                .forEach(
                    problem ->
                        found.add(
                            problem, Component.TASK_MANAGER, it.getMetadata().getName(), made)));
    pods.stream()
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .sorted(Comparator.comparing(pod -> pod.getMetadata().getUid()))
        .forEach(found::pod);
    found.kills(MemoryKill.in(pods, now));
    found.problems.sort(
        Comparator.comparing(ClusterProblem::component)
            .thenComparing(ClusterProblem::lasting, Comparator.reverseOrder()));
    return new ClusterHealth(found.problems, found.review);
  }

  private void pod(Pod pod) {
    Component component = component(pod);
    Instant made = KubernetesTime.parse(pod.getMetadata().getCreationTimestamp()).orElse(now);
    PodProblems.of(List.of(pod), List.of()).stream()
        .filter(it -> !it.reason().equals(Reasons.CRASH_LOOP))
        .filter(it -> !it.reason().equals(Reasons.UNSCHEDULABLE) || isUnschedulableFor(pod))
        .forEach(it -> add(it, component, pod.getMetadata().getName(), made));
    containers(pod)
        .filter(container -> CrashLoop.isIn(container, now))
        .forEach(
            container -> {
              crashLoop(pod, container, component, made);
              CrashLoop.over(container).ifPresent(this::reviewAt);
            });
  }

  private boolean isUnschedulableFor(Pod pod) {
    Instant counts =
        pod.getStatus().getConditions().stream()
            .filter(it -> "PodScheduled".equals(it.getType()))
            .map(PodCondition::getLastTransitionTime)
            .flatMap(time -> KubernetesTime.parse(time).stream())
            .findFirst()
            .map(since -> since.plus(FIND_NODE))
            .orElse(now);
    if (counts.isAfter(now)) {
      reviewAt(counts);
      return false;
    }
    return true;
  }

  private void crashLoop(Pod pod, ContainerStatus container, Component component, Instant made) {
    Optional<MemoryKill> killed = MemoryKill.last(pod, container);
    if (killed.isPresent()) {
      add(killed.get(), true);
    } else {
      add(PodProblems.crashLoop(pod, container), component, pod.getMetadata().getName(), made);
    }
  }

  /** The newest of each component explains as much as all of them. */
  private void kills(List<MemoryKill> kills) {
    for (MemoryKill kill : kills) {
      if (problems.stream()
          .noneMatch(
              it -> it.reason().equals(Reasons.OOM_KILLED) && it.component() == kill.component())) {
        add(kill, false);
        reviewAt(kill.at().plus(MemoryKill.RECENT));
      }
    }
  }

  private void add(MemoryKill kill, boolean lasting) {
    problems.add(
        new ClusterProblem(Reasons.OOM_KILLED, kill.component(), killed(kill), lasting, kill.at()));
  }

  private static String killed(MemoryKill kill) {
    String component = kill.component().word();
    return "Container %s of %s pod %s was OOMKilled: it used more memory than its limit%s. Raise the memory of spec.%s, or make the job hold less."
        .formatted(
            kill.container(),
            component,
            kill.pod(),
            kill.limit().isEmpty() ? "" : " of " + kill.limit(),
            Character.toLowerCase(component.charAt(0)) + component.substring(1));
  }

  private void add(PodProblem problem, Component component, String pod, Instant at) {
    String text = problem.message();
    String sentence =
        component.word() + ": " + text + (text.endsWith(".") ? "" : ".") + advice(problem, pod);
    problems.add(
        new ClusterProblem(
            reason(problem), component, Redaction.redact(sentence), problem.lasting(), at));
  }

  private static String reason(PodProblem problem) {
    return switch (problem.reason()) {
      case "ReplicaFailure" -> Reasons.FAILED_CREATE;
      case "StartError" -> Reasons.RUN_CONTAINER_ERROR;
      case Reasons.CRASH_LOOP,
          Reasons.CREATE_CONTAINER_CONFIG_ERROR,
          Reasons.CREATE_CONTAINER_ERROR,
          Reasons.RUN_CONTAINER_ERROR,
          Reasons.UNSCHEDULABLE ->
          problem.reason();
      default -> Reasons.IMAGE_PULL_FAILED;
    };
  }

  private static String advice(PodProblem problem, String pod) {
    return switch (reason(problem)) {
      case Reasons.CREATE_CONTAINER_CONFIG_ERROR ->
          " Create the Secret or ConfigMap that it names, or correct the pod template.";
      case Reasons.CREATE_CONTAINER_ERROR, Reasons.RUN_CONTAINER_ERROR ->
          " Correct the image or the pod template; see kubectl describe pod " + pod + ".";
      case Reasons.FAILED_CREATE -> " " + FailedCreateAdvice.of(problem.message());
      case Reasons.UNSCHEDULABLE -> " Add nodes, or request less.";
      default -> "";
    };
  }

  private void reviewAt(Instant at) {
    if (at.isAfter(now) && (review == null || at.isBefore(review))) {
      review = at;
    }
  }

  static Component component(Pod pod) {
    var labels = pod.getMetadata().getLabels();
    return labels != null && Labels.COMPONENT_TASK_MANAGER.equals(labels.get(Labels.COMPONENT))
        ? Component.TASK_MANAGER
        : Component.JOB_MANAGER;
  }

  private static Stream<ContainerStatus> containers(Pod pod) {
    return Optional.ofNullable(pod.getStatus()).stream()
        .flatMap(
            status ->
                Stream.of(status.getInitContainerStatuses(), status.getContainerStatuses())
                    .filter(Objects::nonNull)
                    .flatMap(List::stream));
  }
}
