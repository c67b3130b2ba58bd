package dev.sluice.workflows.bluegreen;

import dev.sluice.api.bluegreen.AbortAction;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Await;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.AwaitIngress;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Delete;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.End;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Outcome;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Suspend;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Begun;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import java.time.Duration;
import java.util.Optional;

/**
 * Decides how a transition is given up whose new child is not live, or not any more: that child is
 * suspended or deleted, the live one is left alone. Pure.
 */
final class GiveUpPlanner {

  /** How long a child may take to suspend its job, with a savepoint, until that is left to it. */
  private static final Duration SUSPENDS = Duration.ofMinutes(5);

  private final WayBack back;

  GiveUpPlanner(WayBack back) {
    this.back = back;
  }

  BlueGreenDecision decide(TransitionLook look, Begun begun) {
    Optional<ChildSeen> live = look.liveChild();
    if (begun.cut() != null && begun.switchedMs() == null && live.isPresent()) {
      return back.next(look, begun, live.get())
          .orElseGet(
              () ->
                  new End(
                      Outcome.GIVEN_UP,
                      look.givenUpWith(begun),
                      WayBack.outcome(look, begun, live.get())));
    }
    boolean wentBack = look.asked().wentBack() || begun.switchedMs() != null;
    if (wentBack && live.isPresent() && look.asked().ingressAt() != look.live()) {
      return new AwaitIngress(
          live.get().color(),
          live.get().uid(),
          "Waiting until the Ingress, if there is one, points at "
              + look.name(live.get().color())
              + " again");
    }
    return look.seen()
        .child(begun.to())
        .filter(ChildSeen::ours)
        .flatMap(it -> putAway(look, it))
        .orElseGet(() -> end(look, begun));
  }

  private static Optional<BlueGreenDecision> putAway(TransitionLook look, ChildSeen child) {
    String name = look.name(child.color());
    // without a live child this one may be the only one that has the state
    boolean only = look.live() != null && look.liveChild().isEmpty();
    if (child.deleting()
        || !child.hasJob()
        || (look.seen().settings().onAbort() == AbortAction.DELETE && !only)) {
      return Optional.of(
          new Delete(child.color(), child.uid(), "Deleting %s, which is given up".formatted(name)));
    }
    return stop(look, child, "which is given up");
  }

  /**
   * A child that is not live is next to the one that is, though no transition goes on: nobody looks
   * at what it writes.
   */
  Optional<BlueGreenDecision> stray(TransitionLook look) {
    Color live = look.live();
    return live == null || look.liveChild().isEmpty()
        ? Optional.empty()
        : look.seen()
            .child(live.other())
            .filter(it -> it.ours() && !it.deleting())
            .flatMap(it -> stop(look, it, "which is not live"));
  }

  /** Its own operation stops the job; if that is held, this one does not wait for it forever. */
  private static Optional<BlueGreenDecision> stop(
      TransitionLook look, ChildSeen child, String which) {
    String name = look.name(child.color());
    if (isStopped(child)) {
      return Optional.empty();
    }
    if (!child.uid().equals(look.asked().suspended())) {
      return Optional.of(
          new Suspend(child.color(), child.uid(), "Suspending %s, %s".formatted(name, which)));
    }
    return look.asked().patient()
        ? Optional.empty()
        : Optional.of(
            new Await(
                child.color(),
                child.uid(),
                look.nowMs() + SUSPENDS.toMillis(),
                "Waiting until %s, %s, is suspended: %s"
                    .formatted(name, which, TransitionLook.words(child.phase()))));
  }

  private static boolean isStopped(ChildSeen child) {
    return child.isStopped() || child.phase() instanceof Phase.Suspended;
  }

  private static BlueGreenDecision end(TransitionLook look, Begun begun) {
    String kept =
        look.liveChild()
            .map(it -> look.name(it.color()) + " is live as before")
            .orElse("no child is live");
    String runs =
        look.seen()
            .child(begun.to())
            .filter(it -> it.ours() && !isStopped(it))
            .map(it -> TransitionLook.words(it.phase()))
            .map(it -> "; %s is told to suspend its job: %s".formatted(look.name(begun.to()), it))
            .orElse("");
    return new End(Outcome.GIVEN_UP, look.givenUpWith(begun), kept + runs);
  }
}
