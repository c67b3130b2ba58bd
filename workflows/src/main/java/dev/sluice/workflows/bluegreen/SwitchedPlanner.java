package dev.sluice.workflows.bluegreen;

import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Await;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.AwaitIngress;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Delay;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Delete;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.End;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Hold;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Outcome;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Suspend;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Switch;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.TooLate;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Begun;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepLimits;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Decides about a transition whose new child is live: the old one goes once the delay is over and
 * the new one is ready at that moment. Until then there is a way back, except from an exactly-once
 * cut-over, whose old job must not run next to the new one. Pure.
 */
final class SwitchedPlanner {

  /** How often the old child of a cut-over is looked at while it is kept. */
  private static final Duration LOOK = Duration.ofSeconds(10);

  BlueGreenDecision decide(TransitionLook look, Begun begun) {
    Optional<ChildSeen> old = look.seen().child(begun.to().other()).filter(ChildSeen::ours);
    Optional<ChildSeen> live = look.liveChild();
    if (look.asked().givesUp()) {
      return back(look, begun, old);
    }
    if (live.isPresent() && look.asked().ingressAt() != begun.to() && !isGoing(old)) {
      return beside(look, begun, old, live)
          .orElseGet(
              () ->
                  new AwaitIngress(
                      begun.to(),
                      live.get().uid(),
                      "Waiting until the Ingress, if there is one, points at "
                          + look.name(begun.to())));
    }
    if (old.isEmpty() && live.isEmpty()) {
      return new End(
          Outcome.GIVEN_UP,
          look.givenUpWith(begun),
          "%s was live and does not exist any more".formatted(look.name(begun.to())));
    }
    if (old.isEmpty()) {
      return new End(
          Outcome.REACHED,
          begun.generation(),
          "%s is live with generation %d".formatted(look.name(begun.to()), begun.generation()));
    }
    return away(look, begun, old.get(), live);
  }

  /** The old job was stopped for the new one, and somebody has it run again. */
  private static Optional<BlueGreenDecision> beside(
      TransitionLook look, Begun begun, Optional<ChildSeen> old, Optional<ChildSeen> live) {
    boolean mayRun =
        live.filter(it -> it.mayRun() && !(it.phase() instanceof Phase.Failed)).isPresent();
    return old.filter(it -> begun.cut() != null && mayRun && it.mayRun() && !it.deleting())
        .map(
            it ->
                new Suspend(
                    it.color(),
                    it.uid(),
                    "Suspending %s, whose job runs again beside that of %s"
                        .formatted(look.name(it.color()), look.name(begun.to()))));
  }

  private static boolean isGoing(Optional<ChildSeen> old) {
    return old.filter(ChildSeen::deleting).isPresent();
  }

  private static BlueGreenDecision back(TransitionLook look, Begun begun, Optional<ChildSeen> old) {
    Color before = begun.to().other();
    if (begun.cut() != null) {
      return new TooLate(
          "%s is live, and the job of %s was stopped for it. Apply the spec before again: it starts from the newest state"
              .formatted(look.name(begun.to()), look.name(before)));
    }
    if (old.isEmpty() || old.get().deleting()) {
      return new TooLate(
          "%s is live, and there is no %s to go back to"
              .formatted(look.name(begun.to()), look.name(before)));
    }
    return old.get().phase() instanceof Phase.Ready
        ? new Switch(before, true, "Going back: %s is live again".formatted(look.name(before)))
        : new TooLate(
            "%s cannot be gone back to: %s"
                .formatted(look.name(before), TransitionLook.words(old.get().phase())));
  }

  private static BlueGreenDecision away(
      TransitionLook look, Begun begun, ChildSeen old, Optional<ChildSeen> live) {
    String oldName = look.name(old.color());
    Delete delete =
        new Delete(
            old.color(),
            old.uid(),
            "Deleting %s: %s is live".formatted(oldName, look.name(begun.to())));
    if (old.deleting()) {
      return delete;
    }
    long until =
        Objects.requireNonNullElse(begun.switchedMs(), 0L) // unless somebody edited the status
            + look.seen().settings().deletionDelayMs();
    if (!look.asked().delayOver() && look.nowMs() < until) {
      return beside(look, begun, Optional.of(old), live)
          .orElseGet(() -> delay(look, begun, oldName, until));
    }
    if (live.isPresent() && isUp(look, live.get().phase())) {
      return delete;
    }
    return isDeadEnd(old, live)
        ? deadEnd(look, begun, old, live)
        : beside(look, begun, Optional.of(old), live).orElseGet(() -> kept(look, begun, old, live));
  }

  private static Delay delay(TransitionLook look, Begun begun, String oldName, long until) {
    return begun.cut() == null
        ? new Delay(
            until,
            "%s is live; keeping %s for %d s, as long as which an abort goes back to it and a retry ends the wait"
                .formatted(look.name(begun.to()), oldName, (until - look.nowMs()) / 1_000))
        : new Delay(
            Math.min(until, look.nowMs() + LOOK.toMillis()),
            "%s is live; keeping %s, suspended, for %d s after the switch. There is no way back to it; a retry ends the wait"
                .formatted(
                    look.name(begun.to()),
                    oldName,
                    look.seen().settings().deletionDelayMs() / 1_000));
  }

  /** Neither child comes up by itself: the next transition decides what to go on from. */
  private static boolean isDeadEnd(ChildSeen old, Optional<ChildSeen> live) {
    boolean dead = live.isEmpty() || live.get().phase() instanceof Phase.Failed;
    Phase phase = old.phase();
    return dead
        && (phase instanceof Phase.Suspended
            || phase instanceof Phase.Finished
            || phase instanceof Phase.Failed);
  }

  private static End deadEnd(
      TransitionLook look, Begun begun, ChildSeen old, Optional<ChildSeen> live) {
    String state = TransitionLook.state(old.phase());
    String from = state == null ? "<path>" : state;
    return new End(
        Outcome.GIVEN_UP,
        look.givenUpWith(begun),
        "%s is live and not ready: %s. %s cannot be gone back to: %s. Change the spec, or request sluice.dev/retry; sluice.dev/restore-from=%s says what to start from. %s is deleted then."
            .formatted(
                look.name(begun.to()),
                now(live),
                look.name(old.color()),
                TransitionLook.words(old.phase()),
                from,
                look.name(old.color())));
  }

  private static String now(Optional<ChildSeen> live) {
    return live.map(it -> TransitionLook.words(it.phase())).orElse("it does not exist any more");
  }

  private static boolean isUp(TransitionLook look, Phase phase) {
    return phase instanceof Phase.Ready
        || phase instanceof Phase.Finished
        || (phase instanceof Phase.Suspended && !look.seen().settings().wantsRunning());
  }

  /** The new child is live and not ready: the old one stays. */
  private static BlueGreenDecision kept(
      TransitionLook look, Begun begun, ChildSeen old, Optional<ChildSeen> live) {
    String oldName = look.name(old.color());
    String name = look.name(begun.to());
    boolean settles =
        live.filter(it -> it.phase() instanceof Phase.Busy || it.phase() instanceof Phase.Held)
            .isPresent();
    if (settles && !look.asked().patient()) {
      return new Await(
          begun.to(),
          live.get().uid(),
          look.nowMs() + StepLimits.PATIENCE.toMillis(),
          "Waiting until %s, which is live, is ready: %s"
              .formatted(name, TransitionLook.words(live.get().phase())));
    }
    String back =
        old.phase() instanceof Phase.Ready
            ? "an abort goes back to it"
            : "it cannot be gone back to now: " + TransitionLook.words(old.phase());
    boolean gone = live.isEmpty();
    return new Hold(
        Step.DELETE_CHILD,
        settles,
        gone ? Reasons.STATE_NOT_FOUND : Reasons.JOB_NOT_RUNNING,
        "%s is live and not ready: %s. %s is kept; %s.".formatted(name, now(live), oldName, back),
        false);
  }
}
