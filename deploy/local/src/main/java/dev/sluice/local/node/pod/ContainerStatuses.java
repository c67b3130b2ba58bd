package dev.sluice.local.node.pod;

import dev.sluice.local.node.process.Attempt.Ended;
import dev.sluice.local.node.process.Attempt.Running;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateRunning;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The status of one container. */
final class ContainerStatuses {
  private ContainerStatuses() {}

  static ContainerStatus of(PodView pod, Container container) {
    ContainerView view = pod.view(container);
    boolean init = pod.initContainers().contains(container);
    boolean running = view.process() instanceof Running;
    boolean done = init && view.ended().filter(Ended::succeeded).isPresent();
    ContainerStatusBuilder status =
        new ContainerStatusBuilder()
            .withName(container.getName())
            .withImage(container.getImage())
            .withImageID("")
            .withRestartCount(Math.max(0, view.attempt()))
            .withStarted(running && view.health().started())
            .withReady(done || (!init && running && view.health().ready()))
            .withState(state(pod, container, view));
    Ended last = last(pod, container, view);
    if (last != null) {
      status.withLastState(terminated(last));
    }
    view.running().ifPresent(process -> status.withContainerID("process://" + process.pid()));
    return status.build();
  }

  private static ContainerState state(PodView pod, Container container, ContainerView view) {
    if (view.process() instanceof Running running) {
      String since = PodStatuses.text(running.startedAt());
      return new ContainerState(new ContainerStateRunning(since), null, null);
    }
    if (!loops(pod, container, view)) {
      // with the next attempt on its way, it still shows how the one before ended
      Ended ended = view.ended().orElse(view.before());
      if (ended != null) {
        return terminated(ended);
      }
    }
    return waiting(pod, container, view);
  }

  /** What the kubelet calls the last state: how it ended before the state that is shown. */
  private static @Nullable Ended last(PodView pod, Container container, ContainerView view) {
    if (view.ended().isPresent() && loops(pod, container, view)) {
      return view.ended().get();
    }
    return view.process() instanceof Running || view.ended().isPresent() ? view.before() : null;
  }

  /** Whether it has ended and waits for its next start. */
  private static boolean loops(PodView pod, Container container, ContainerView view) {
    return view.ended().isPresent()
        && (view.delay() != null || view.blocked() != null)
        && !pod.deleting()
        && pod.restarts(container, view.ended().get().succeeded());
  }

  private static ContainerState waiting(PodView pod, Container container, ContainerView view) {
    if (view.blocked() != null) {
      return waiting(view.blocked().reason(), view.blocked().message());
    }
    if (view.ended().isPresent()) {
      Duration delay = view.delay() == null ? Duration.ZERO : view.delay();
      return waiting(
          "CrashLoopBackOff",
          "back-off %s restarting failed container=%s pod=%s_%s, last exit code %d"
              .formatted(
                  delay.toString().substring(2).toLowerCase(Locale.ROOT),
                  container.getName(),
                  pod.pod().getMetadata().getName(),
                  pod.pod().getMetadata().getNamespace(),
                  view.ended().get().exitCode()));
    }
    boolean first = pod.initContainers().contains(container) || pod.initialized();
    return waiting(first ? "ContainerCreating" : "PodInitializing", null);
  }

  private static ContainerState waiting(String reason, @Nullable String message) {
    return new ContainerState(null, null, new ContainerStateWaiting(message, reason));
  }

  private static ContainerState terminated(Ended ended) {
    ContainerStateTerminated terminated = new ContainerStateTerminated();
    terminated.setExitCode(ended.exitCode());
    terminated.setReason(ended.reason());
    terminated.setStartedAt(PodStatuses.text(ended.startedAt()));
    terminated.setFinishedAt(PodStatuses.text(ended.finishedAt()));
    return new ContainerState(null, terminated, null);
  }
}
