package dev.sluice.local.node.pod;

import dev.sluice.local.node.pod.PodAction.Forget;
import dev.sluice.local.node.pod.PodAction.Kill;
import dev.sluice.local.node.pod.PodAction.LookAgain;
import dev.sluice.local.node.pod.PodAction.Remove;
import dev.sluice.local.node.pod.PodAction.Start;
import dev.sluice.local.node.pod.PodAction.Terminate;
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

  /** The kubelet's least grace for a pod that was deleted by force. */
  private static final Duration FORCED_GRACE = Duration.ofSeconds(2);

  /** Kubernetes' default of {@code terminationGracePeriodSeconds}. */
  private static final long DEFAULT_GRACE_SECONDS = 30;

  private final PodView pod;
  private final Instant now;
  private final BackOff backOff;
  private final List<PodAction> actions = new ArrayList<>();

  private PodDecision(PodView pod, Instant now, BackOff backOff) {
    this.pod = pod;
    this.now = now;
    this.backOff = backOff;
  }

  /**
   * What to do now, in this order; nothing when all is as it should be.
   *
   * @param backOff how restarts are slowed down
   */
  static List<PodAction> of(PodView pod, Instant now, BackOff backOff) {
    PodDecision decision = new PodDecision(pod, now, backOff);
    if (pod.gone()) {
      decision.endAll(FORCED_GRACE, "Deleted by force: stopping container ", new Forget());
    } else if (pod.deleting()) {
      Long asked = pod.pod().getMetadata().getDeletionGracePeriodSeconds();
      decision.endAll(
          asked == null ? decision.grace() : Duration.ofSeconds(asked),
          "Stopping container ",
          pod.removalAsked() ? null : new Remove());
    } else if (!pod.over()) {
      decision.run();
    }
    return decision.actions;
  }

  private void run() {
    if (pod.initialized()) {
      pod.mainContainers().forEach(this::run);
      return;
    }
    pod.initContainers().stream()
        .filter(c -> pod.view(c).ended().filter(Ended::succeeded).isEmpty())
        .findFirst()
        .ifPresent(this::run);
  }

  private void run(Container container) {
    ContainerView view = pod.view(container);
    Ended ended = view.ended().orElse(null);
    if (view.alive()) {
      if (view.health().unhealthy() != null || view.asked() != null) {
        String why = view.health().unhealthy() + ": restarting container ";
        end(container.getName(), view, probeGrace(container), why);
      }
    } else if (ended == null) {
      start(container, 0, null, now);
    } else if (pod.restarts(container, ended.succeeded())) {
      Duration ran = Duration.between(ended.startedAt(), ended.finishedAt());
      Instant notBefore = backOff.notBefore(ended.finishedAt(), view.delay(), ran);
      start(container, view.attempt() + 1, backOff.next(view.delay(), ran), notBefore);
    }
  }

  private void start(
      Container container, int attempt, @Nullable Duration delay, Instant notBefore) {
    var blocked = pod.view(container).blocked();
    Instant time =
        blocked != null && blocked.nextTry().isAfter(notBefore) ? blocked.nextTry() : notBefore;
    addAt(time, new Start(container, attempt, delay));
  }

  /** The action when its time has come; else a reminder. */
  private void addAt(Instant time, PodAction action) {
    actions.add(time.isAfter(now) ? new LookAgain(time) : action);
  }

  /**
   * Ends all containers.
   *
   * @param then what to do when they have ended; null for nothing
   */
  private void endAll(Duration grace, String why, @Nullable PodAction then) {
    pod.containers().forEach((name, view) -> end(name, view, grace, why));
    if (then != null && !pod.anyAlive()) {
      actions.add(then);
    }
  }

  private void end(String name, ContainerView view, Duration grace, String why) {
    if (view.running().isEmpty()) {
      return; // a process that is only just starting shows up by itself
    }
    if (view.asked() == null) {
      actions.add(new Terminate(name, why + name));
      actions.add(new LookAgain(now.plus(grace)));
    } else if (!view.killed()) {
      addAt(view.asked().plus(grace), new Kill(name));
    }
  }

  private Duration grace() {
    Long seconds = pod.pod().getSpec().getTerminationGracePeriodSeconds();
    return Duration.ofSeconds(seconds == null ? DEFAULT_GRACE_SECONDS : seconds);
  }

  private Duration probeGrace(Container container) {
    Probe probe = container.getLivenessProbe();
    Long own = probe == null ? null : probe.getTerminationGracePeriodSeconds();
    return own == null ? grace() : Duration.ofSeconds(own);
  }
}
