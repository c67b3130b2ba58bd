package dev.sluice.local.node.pod;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What is seen of one pod: all that a decision and a status are made from.
 *
 * @param pod as the API server last had it
 * @param gone whether the API server has it no more
 * @param ip its address
 * @param admitted when the node took it
 * @param removalAsked whether the API server has been told that it has ended
 * @param containers by name, init containers too
 */
public record PodView(
    Pod pod,
    boolean gone,
    String ip,
    Instant admitted,
    boolean removalAsked,
    Map<String, ContainerView> containers) {

  /** All containers of a pod: init containers in their order, then the others. */
  static List<Container> containers(Pod pod) {
    return Stream.concat(initContainers(pod).stream(), pod.getSpec().getContainers().stream())
        .toList();
  }

  private static List<Container> initContainers(Pod pod) {
    List<Container> list = pod.getSpec().getInitContainers();
    return list == null ? List.of() : list;
  }

  /** Init containers in their order. */
  public List<Container> initContainers() {
    return initContainers(pod);
  }

  /** The others. */
  public List<Container> mainContainers() {
    return pod.getSpec().getContainers();
  }

  /** What is seen of one of them. */
  public ContainerView view(Container container) {
    ContainerView view = containers.get(container.getName());
    if (view == null) {
      throw new IllegalArgumentException("No view of container " + container.getName());
    }
    return view;
  }

  /** Whether every init container has done its work. */
  public boolean initialized() {
    // a main container that has been started proves it, even when an init container's files are
    // gone
    return mainContainers().stream().anyMatch(c -> view(c).attempt() >= 0)
        || initContainers().stream()
            .allMatch(c -> view(c).ended().filter(ended -> ended.succeeded()).isPresent());
  }

  /** Whether any container has a process. */
  public boolean anyAlive() {
    return containers.values().stream().anyMatch(ContainerView::alive);
  }

  /** Whether it has been asked to end. */
  public boolean deleting() {
    return pod.getMetadata().getDeletionTimestamp() != null;
  }

  /** Whether a container that ended so is started again. */
  public boolean restarts(Container container, boolean succeeded) {
    String policy = pod.getSpec().getRestartPolicy();
    boolean init = initContainers().contains(container);
    return switch (policy == null ? "Always" : policy) {
      case "Never" -> false;
      case "OnFailure" -> !succeeded;
      default -> !(init && succeeded);
    };
  }

  /** Whether nothing will ever run in it again: its phase is Succeeded or Failed. */
  public boolean over() {
    boolean initFailed =
        !initialized()
            && initContainers().stream().anyMatch(container -> overFor(container, false));
    return !anyAlive()
        && (initFailed
            || mainContainers().stream().allMatch(container -> overFor(container, true)));
  }

  private boolean overFor(Container container, boolean successCounts) {
    return view(container)
        .ended()
        .filter(ended -> successCounts || !ended.succeeded())
        .filter(ended -> !restarts(container, ended.succeeded()))
        .isPresent();
  }
}
