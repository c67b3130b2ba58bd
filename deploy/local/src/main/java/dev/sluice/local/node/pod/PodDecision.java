package dev.sluice.local.node.pod;

import dev.sluice.local.node.process.Attempt.Ended;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Probe;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a kubelet does about a pod, as a function of what is seen of it. */
final class PodDecision {
  /** Something to do about a pod. Every one is harmless when it is done twice. */
  sealed interface Action {}

  /**
   * Start a container's process.
   *
   * @param attempt its number
   * @param delay the back-off that will hold when this one ends; null for none
   */
  record Start(String container, int attempt, @Nullable Duration delay) implements Action {}

  record Terminate(String container, String why) implements Action {}

  /** End all processes of a container that did not do so when asked. */
  record Kill(String container) implements Action {}

  record Remove() implements Action {}

  record Forget() implements Action {}

  /** Look again at that time, when nothing else happens before. */
  record LookAgain(Instant at) implements Action {}

  /** The kubelet's least grace for a pod that was deleted by force. */
  private static final Duration FORCED_GRACE = Duration.ofSeconds(2);

  /**
   * As a kubelet does: the first restart is at once, the second waits 10 s, each later one twice as
   * long up to 5 min, where the node is told no less; a container that went well for 10 min starts
   * over.
   */
  private static final Duration FIRST_DELAY = Duration.ofSeconds(10);

  private static final Duration RESET = Duration.ofMinutes(10);

  private final PodView pod;
  private final Instant now;
  private final Duration longestDelay;
  private final List<Action> actions = new ArrayList<>();

  private PodDecision(PodView pod, Instant now, Duration longestDelay) {
    this.pod = pod;
    this.now = now;
    this.longestDelay = longestDelay;
  }

  /**
   * What to do now, in this order; nothing when all is as it should be.
   *
   * @param longestDelay of a container that ends again and again
   */
  static List<Action> of(PodView pod, Instant now, Duration longestDelay) {
    PodDecision decision = new PodDecision(pod, now, longestDelay);
    if (pod.gone()) {
      decision.endAll(FORCED_GRACE, "Deleted by force: stopping container ", new Forget());
    } else if (pod.deleting()) {
      Duration grace = Duration.ofSeconds(pod.pod().getMetadata().getDeletionGracePeriodSeconds());
      decision.endAll(grace, "Stopping container ", pod.removalAsked() ? null : new Remove());
    } else if (!pod.over()) {
      decision.run();
    }
    return decision.actions;
  }

  private void run() {
    if (pod.initialized()) {
      pod.main().forEach(this::run);
    } else {
      pod.init().stream().filter(it -> !it.succeeded()).findFirst().ifPresent(this::run);
    }
  }

  private void run(ContainerView container) {
    if (container.alive()) {
      if (container.health().unhealthy() != null || container.terminationRequestedAt() != null) {
        String why = container.health().unhealthy() + ": restarting container ";
        end(container, probeGrace(container.container()), why);
      }
    } else if (container.attempt() < 0) {
      start(container, null, now);
    } else if (pod.restarts(container)) {
      Ended ended = container.ended().orElseThrow();
      Duration ran = Duration.between(ended.startedAt(), ended.finishedAt());
      Duration agreed = ran.compareTo(RESET) > 0 ? null : container.delay();
      Instant notBefore = agreed == null ? ended.finishedAt() : ended.finishedAt().plus(agreed);
      start(container, next(agreed), notBefore);
    }
  }

  private Duration next(@Nullable Duration delay) {
    Duration next = delay == null ? FIRST_DELAY : delay.multipliedBy(2);
    return next.compareTo(longestDelay) > 0 ? longestDelay : next;
  }

  private void start(ContainerView container, @Nullable Duration delay, Instant notBefore) {
    var blocked = container.blocked();
    Instant time =
        blocked != null && blocked.nextTry().isAfter(notBefore) ? blocked.nextTry() : notBefore;
    addAt(time, new Start(container.name(), container.attempt() + 1, delay));
  }

  /** The action when its time has come; else a reminder. */
  private void addAt(Instant time, Action action) {
    actions.add(time.isAfter(now) ? new LookAgain(time) : action);
  }

  /**
   * Ends all containers.
   *
   * @param then what to do when they have ended; null for nothing
   */
  private void endAll(Duration grace, String why, @Nullable Action then) {
    pod.all().forEach(container -> end(container, grace, why));
    if (then != null && !pod.anyAlive()) {
      actions.add(then);
    }
  }

  private void end(ContainerView container, Duration grace, String why) {
    if (container.running().isEmpty()) {
      return; // a process that is only just starting shows up by itself
    }
    if (container.terminationRequestedAt() == null) {
      actions.add(new Terminate(container.name(), why + container.name()));
      actions.add(new LookAgain(now.plus(grace)));
    } else if (!container.killed()) {
      addAt(container.terminationRequestedAt().plus(grace), new Kill(container.name()));
    }
  }

  private Duration probeGrace(Container container) {
    Probe probe = container.getLivenessProbe();
    Long own = probe == null ? null : probe.getTerminationGracePeriodSeconds();
    Long pods = pod.pod().getSpec().getTerminationGracePeriodSeconds();
    return Duration.ofSeconds(own == null ? pods : own);
  }
}
