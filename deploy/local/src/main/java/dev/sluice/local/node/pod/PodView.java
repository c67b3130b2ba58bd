package dev.sluice.local.node.pod;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What is seen of one pod: all that a decision and a status are made from.
 *
 * @param pod as the API server last had it
 * @param gone whether the API server has it no more
 * @param ip its address
 * @param admitted when the node took it
 * @param removalAsked whether the API server has been told that it has ended
 * @param init its init containers, in their order
 * @param main the others
 */
record PodView(
    Pod pod,
    boolean gone,
    String ip,
    Instant admitted,
    boolean removalAsked,
    List<ContainerView> init,
    List<ContainerView> main) {

  static List<Container> containers(Pod pod) {
    List<Container> all = new ArrayList<>(pod.getSpec().getInitContainers());
    all.addAll(pod.getSpec().getContainers());
    return all;
  }

  Stream<ContainerView> all() {
    return Stream.concat(init.stream(), main.stream());
  }

  boolean initialized() {
    // a main container that has been started proves it, even when an init container's files are
    // gone
    return main.stream().anyMatch(it -> it.attempt() >= 0)
        || init.stream().allMatch(ContainerView::succeeded);
  }

  boolean anyAlive() {
    return all().anyMatch(ContainerView::alive);
  }

  boolean deleting() {
    return pod.getMetadata().getDeletionTimestamp() != null;
  }

  boolean restarts(ContainerView container) {
    String policy = pod.getSpec().getRestartPolicy();
    return container.ended().isPresent()
        && switch (policy == null ? "Always" : policy) {
          case "Never" -> false;
          case "OnFailure" -> !container.succeeded();
          default -> !(init.contains(container) && container.succeeded());
        };
  }

  /** Whether nothing will ever run in it again: its phase is Succeeded or Failed. */
  boolean over() {
    boolean initFailed =
        !initialized() && init.stream().anyMatch(it -> overFor(it) && !it.succeeded());
    return !anyAlive() && (initFailed || main.stream().allMatch(this::overFor));
  }

  private boolean overFor(ContainerView container) {
    return container.ended().isPresent() && !restarts(container);
  }
}
