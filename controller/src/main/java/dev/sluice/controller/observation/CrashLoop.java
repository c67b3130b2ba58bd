package dev.sluice.controller.observation;

import dev.sluice.activities.cluster.PodProblems;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells a container that crashes again and again, also while it runs in between: what Kubernetes
 * says of it is {@code CrashLoopBackOff} only while it waits. Needs no memory of its own.
 */
final class CrashLoop {

  /** One that runs this long is over it. */
  static final Duration STEADY = Duration.ofMinutes(2);

  /** After a run of this length Kubernetes takes a crash for the first one, too. */
  private static final Duration LONG_RUN = Duration.ofMinutes(10);

  private CrashLoop() {}

  /** Whether it is in one now. */
  static boolean isIn(ContainerStatus container, Instant now) {
    return PodProblems.crashesOften(container)
        && crashedEarly(container.getLastState(), container.getState())
        && over(container).filter(over -> !over.isAfter(now)).isEmpty();
  }

  /** When a container that runs will be over it, unless it crashes before. */
  static Optional<Instant> over(ContainerStatus container) {
    ContainerState state = container.getState();
    return state == null || state.getRunning() == null
        ? Optional.empty()
        : KubernetesTime.parse(state.getRunning().getStartedAt()).map(it -> it.plus(STEADY));
  }

  private static boolean crashedEarly(
      @Nullable ContainerState last, @Nullable ContainerState state) {
    ContainerStateTerminated now = state == null ? null : state.getTerminated();
    ContainerStateTerminated end = now != null ? now : last == null ? null : last.getTerminated();
    if (end == null) {
      return false;
    }
    Optional<Instant> from = KubernetesTime.parse(end.getStartedAt());
    Optional<Instant> to = KubernetesTime.parse(end.getFinishedAt());
    return from.isEmpty()
        || to.isEmpty()
        || Duration.between(from.get(), to.get()).compareTo(LONG_RUN) < 0;
  }
}
