package dev.sluice.controller.observation;

import dev.sluice.api.Labels;
import dev.sluice.controller.observation.ClusterProblem.Component;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Remembers for a while which containers the kernel killed for their memory. Flink deletes a
 * TaskManager pod as soon as it ends, so that by the time somebody looks it is often gone.
 */
public final class MemoryKills {

  /** How long one explains why a job does not run. */
  static final Duration RECENT = Duration.ofMinutes(10);

  private static final String OOM_KILLED = "OOMKilled";
  private static final int MOST = 16;

  private final ConcurrentMap<ResourceID, List<Kill>> kills = new ConcurrentHashMap<>();

  /**
   * A container that was killed.
   *
   * @param limit of its memory, e.g. {@code 1Gi}; empty when it has none
   */
  public record Kill(Component component, String pod, String container, String limit, Instant at) {}

  /** A pod was seen, perhaps for the last time. */
  public void note(Pod pod) {
    String app = label(pod, Labels.APP);
    List<Kill> found = app == null ? List.of() : in(pod).toList();
    if (app != null && !found.isEmpty()) {
      List<Kill> unused =
          kills.merge(
              new ResourceID(app, pod.getMetadata().getNamespace()), found, MemoryKills::newest);
    }
  }

  /** Those of a cluster that happened a short time ago, newest first. */
  public List<Kill> of(ResourceID cluster, Instant now) {
    return kills.getOrDefault(cluster, List.of()).stream()
        .filter(kill -> kill.at.isAfter(now.minus(RECENT)))
        .toList();
  }

  /** The cluster is gone. */
  public void forget(ResourceID cluster) {
    kills.remove(cluster);
  }

  private static List<Kill> newest(List<Kill> one, List<Kill> other) {
    return Stream.concat(one.stream(), other.stream())
        .distinct()
        .sorted(Comparator.comparing(Kill::at).reversed())
        .limit(MOST)
        .toList();
  }

  private static Stream<Kill> in(Pod pod) {
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
  static Optional<Kill> last(Pod pod, ContainerStatus container) {
    ContainerState now = container.getState();
    return ended(
        pod,
        container,
        now != null && now.getTerminated() != null ? now : container.getLastState());
  }

  private static Optional<Kill> ended(
      Pod pod, ContainerStatus container, @Nullable ContainerState state) {
    ContainerStateTerminated end = state == null ? null : state.getTerminated();
    return end != null && OOM_KILLED.equals(end.getReason())
        ? kill(pod, container.getName(), end)
        : Optional.empty();
  }

  private static Optional<Kill> kill(Pod pod, String container, ContainerStateTerminated end) {
    return KubernetesTime.parse(end.getFinishedAt())
        .map(
            at ->
                new Kill(
                    Labels.COMPONENT_TASK_MANAGER.equals(label(pod, Labels.COMPONENT))
                        ? Component.TASK_MANAGER
                        : Component.JOB_MANAGER,
                    pod.getMetadata().getName(),
                    container,
                    limit(pod, container),
                    at));
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

  private static @Nullable String label(Pod pod, String key) {
    Map<String, String> labels = pod.getMetadata().getLabels();
    return labels == null ? null : labels.get(key);
  }
}
