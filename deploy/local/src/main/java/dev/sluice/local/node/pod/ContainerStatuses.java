package dev.sluice.local.node.pod;

import dev.sluice.local.node.process.Attempt.Ended;
import dev.sluice.local.node.process.Attempt.Running;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateRunning;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The status of one container, in the kubelet's words. */
record ContainerStatuses(PodView pod, ContainerView container) {

  ContainerStatus status() {
    boolean init = pod.init().contains(container);
    boolean running = container.running().isPresent();
    boolean done = init && container.succeeded();
    ContainerStatusBuilder status =
        new ContainerStatusBuilder()
            .withName(container.name())
            .withImage(container.container().getImage())
            .withImageID("")
            .withRestartCount(Math.max(0, container.attempt()))
            .withStarted(running && container.health().started())
            .withReady(done || (!init && running && container.health().ready()))
            .withState(state(init));
    Ended last = last();
    if (last != null) {
      status.withLastState(terminated(last));
    }
    container.running().ifPresent(it -> status.withContainerID("process://" + it.pid()));
    return status.build();
  }

  private ContainerState state(boolean init) {
    if (container.process() instanceof Running running) {
      String since = PodStatuses.text(running.startedAt());
      return new ContainerState(new ContainerStateRunning(since), null, null);
    }
    // with the next attempt on its way, it still shows how the one before ended
    Ended ended = container.ended().orElse(container.before());
    if (ended != null && !loops()) {
      return terminated(ended);
    }
    if (container.blocked() != null) {
      return waiting(container.blocked().reason(), container.blocked().message());
    }
    if (ended != null) {
      return waiting("CrashLoopBackOff", backOff(ended));
    }
    return waiting(init || pod.initialized() ? "ContainerCreating" : "PodInitializing", null);
  }

  /** Whether it has ended and waits for its next start. */
  private boolean loops() {
    return (container.delay() != null || container.blocked() != null)
        && !pod.deleting()
        && pod.restarts(container);
  }

  /** What the kubelet calls the last state: how it ended before the state that is shown. */
  private @Nullable Ended last() {
    if (loops()) {
      return container.ended().orElse(null);
    }
    boolean shown = container.running().isPresent() || container.ended().isPresent();
    return shown ? container.before() : null;
  }

  private String backOff(Ended ended) {
    Duration delay = container.delay() == null ? Duration.ZERO : container.delay();
    return "back-off %s restarting failed container=%s pod=%s_%s, last exit code %d"
        .formatted(
            delay.toString().substring(2).toLowerCase(Locale.ROOT),
            container.name(),
            pod.pod().getMetadata().getName(),
            pod.pod().getMetadata().getNamespace(),
            ended.exitCode());
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
