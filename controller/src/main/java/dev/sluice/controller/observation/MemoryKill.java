package dev.sluice.controller.observation;

import dev.sluice.controller.observation.ClusterProblem.Component;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A container of a pod that is still there, which the kernel killed for its memory.
 *
 * @param limit of its memory, e.g. {@code 1Gi}; empty when it has none
 */
record MemoryKill(Component component, String pod, String container, String limit, Instant at) {

  /** How long one explains why a job does not run. */
  static final Duration RECENT = Duration.ofMinutes(10);

  private static final String OOM_KILLED = "OOMKilled";

  /** Those of the last ten minutes, newest first. */
  static List<MemoryKill> in(Collection<Pod> pods, Instant now) {
    return pods.stream()
        .flatMap(MemoryKill::in)
        .filter(kill -> kill.at.isAfter(now.minus(RECENT)))
        .distinct()
        .sorted(Comparator.comparing(MemoryKill::at).reversed())
        .toList();
  }

  private static Stream<MemoryKill> in(Pod pod) {
    return pod.getStatus() == null || pod.getStatus().getContainerStatuses() == null
        ? Stream.empty()
        : pod.getStatus().getContainerStatuses().stream()
            .flatMap(
                container ->
                    Stream.of(
                            ended(pod, container, container.getState()),
                            ended(pod, container, container.getLastState()))
                        .flatMap(Optional::stream));
  }

  /** If a container ended last by being killed: this. */
  static Optional<MemoryKill> last(Pod pod, ContainerStatus container) {
    ContainerState now = container.getState();
    return ended(
        pod,
        container,
        now != null && now.getTerminated() != null ? now : container.getLastState());
  }

  private static Optional<MemoryKill> ended(
      Pod pod, ContainerStatus container, @Nullable ContainerState state) {
    ContainerStateTerminated end = state == null ? null : state.getTerminated();
    return end != null && OOM_KILLED.equals(end.getReason())
        ? KubernetesTime.parse(end.getFinishedAt())
            .map(
                at ->
                    new MemoryKill(
                        ClusterProblems.component(pod),
                        pod.getMetadata().getName(),
                        container.getName(),
                        limit(pod, container.getName()),
                        at))
        : Optional.empty();
  }

  private static String limit(Pod pod, String container) {
    return pod.getSpec() == null
        ? ""
        : pod.getSpec().getContainers().stream()
            .filter(it -> container.equals(it.getName()))
            .map(Container::getResources)
            .filter(it -> it != null && it.getLimits() != null)
            .map(it -> it.getLimits().get("memory"))
            .filter(Objects::nonNull)
            .map(Quantity::toString)
            .findFirst()
            .orElse("");
  }
}
