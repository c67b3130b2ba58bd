package dev.sluice.local.node.pod;

import dev.sluice.local.node.image.ImageState;
import dev.sluice.local.node.pod.PodAction.Forget;
import dev.sluice.local.node.pod.PodAction.Kill;
import dev.sluice.local.node.pod.PodAction.LookAgain;
import dev.sluice.local.node.pod.PodAction.Pull;
import dev.sluice.local.node.pod.PodAction.Remove;
import dev.sluice.local.node.pod.PodAction.Start;
import dev.sluice.local.node.pod.PodAction.Terminate;
import dev.sluice.local.node.process.ProcessState.Ended;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Probe;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a kubelet does about a pod, as a function of what is seen of it.
 *
 * @param backOff how restarts are slowed down
 * @param began when this node was started: containers that ended before owe it no back-off, since a
 *     kubelet keeps that in its memory, and those of a machine that was off start at once
 */
public record PodDecision(BackOff backOff, Instant began) {

  /** The kubelet's least grace for a pod that was deleted by force. */
  private static final Duration FORCED_GRACE = Duration.ofSeconds(2);

  /** Kubernetes' default of {@code terminationGracePeriodSeconds}. */
  private static final long DEFAULT_GRACE_SECONDS = 30;

  /** What to do now, in this order; nothing when all is as it should be. */
  public List<PodAction> decide(PodView pod, Instant now) {
    List<PodAction> actions = new ArrayList<>();
    if (pod.gone()) {
      end(pod, FORCED_GRACE, "Deleted by force: stopping container ", now, actions);
      if (!pod.anyAlive()) {
        actions.add(new Forget());
      }
    } else if (pod.deleting()) {
      end(pod, grace(pod), "Stopping container ", now, actions);
      if (!pod.anyAlive() && !pod.removalAsked()) {
        actions.add(new Remove());
      }
    } else if (!pod.over()) {
      run(pod, now, actions);
    }
    return actions;
  }

  private void run(PodView pod, Instant now, List<PodAction> actions) {
    if (pod.initialized()) {
      pod.mainContainers().forEach(container -> run(pod, container, now, actions));
      return;
    }
    for (Container container : pod.initContainers()) {
      boolean done = pod.view(container).ended().filter(Ended::succeeded).isPresent();
      if (!done) {
        run(pod, container, now, actions);
        return;
      }
    }
  }

  private void run(PodView pod, Container container, Instant now, List<PodAction> actions) {
    ContainerView view = pod.view(container);
    if (view.alive()) {
      if (view.health().unhealthy() != null || view.asked() != null) {
        String why = view.health().unhealthy() + ": restarting container ";
        end(container.getName(), view, probeGrace(pod, container), why, now, actions);
      }
      return;
    }
    Ended ended = view.ended().orElse(null);
    if (ended == null) {
      start(container, view, 0, null, now, now, actions);
    } else if (pod.restarts(container, ended.succeeded())) {
      Duration ran = Duration.between(ended.startedAt(), ended.finishedAt());
      Duration owed = ended.finishedAt().isBefore(began) ? null : view.delay();
      Instant notBefore = backOff.notBefore(ended.finishedAt(), owed, ran);
      Duration delay = backOff.next(owed, ran);
      start(container, view, view.attempt() + 1, delay, notBefore, now, actions);
    }
  }

  private static void start(
      Container container,
      ContainerView view,
      int attempt,
      @Nullable Duration delay,
      Instant notBefore,
      Instant now,
      List<PodAction> actions) {
    if (view.image() instanceof ImageState.Unknown) {
      actions.add(new Pull(container.getImage()));
    } else if (view.image() instanceof ImageState.Failed failed) {
      actions.add(at(failed.nextTry(), now, new Pull(container.getImage())));
    } else if (view.image() instanceof ImageState.Pulled) {
      Instant time = notBefore;
      if (view.blocked() != null && view.blocked().nextTry().isAfter(time)) {
        time = view.blocked().nextTry();
      }
      actions.add(at(time, now, new Start(container, attempt, delay)));
    }
  }

  /** The action when its time has come; else a reminder. */
  private static PodAction at(Instant time, Instant now, PodAction action) {
    return time.isAfter(now) ? new LookAgain(time) : action;
  }

  private static void end(
      PodView pod, Duration grace, String why, Instant now, List<PodAction> actions) {
    pod.containers().forEach((name, view) -> end(name, view, grace, why, now, actions));
  }

  private static void end(
      String name,
      ContainerView view,
      Duration grace,
      String why,
      Instant now,
      List<PodAction> actions) {
    if (view.running().isEmpty()) {
      return; // a process that is only just starting shows up by itself
    }
    if (view.asked() == null) {
      actions.add(new Terminate(name, why + name));
      actions.add(new LookAgain(now.plus(grace)));
    } else if (!view.killed()) {
      Instant limit = view.asked().plus(grace);
      actions.add(at(limit, now, new Kill(name)));
    }
  }

  private static Duration grace(PodView pod) {
    Long asked = pod.pod().getMetadata().getDeletionGracePeriodSeconds();
    return asked == null ? specGrace(pod) : Duration.ofSeconds(asked);
  }

  private static Duration specGrace(PodView pod) {
    Long seconds = pod.pod().getSpec().getTerminationGracePeriodSeconds();
    return Duration.ofSeconds(seconds == null ? DEFAULT_GRACE_SECONDS : seconds);
  }

  private static Duration probeGrace(PodView pod, Container container) {
    Probe probe = container.getLivenessProbe();
    Long own = probe == null ? null : probe.getTerminationGracePeriodSeconds();
    return own == null ? specGrace(pod) : Duration.ofSeconds(own);
  }
}
