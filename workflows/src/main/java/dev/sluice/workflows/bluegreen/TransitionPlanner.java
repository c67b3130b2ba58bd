package dev.sluice.workflows.bluegreen;

import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Apply;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Await;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Delete;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.End;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.GiveUp;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Hold;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Outcome;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.PassGates;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Switch;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.TakeSavepoint;
import dev.sluice.workflows.bluegreen.BlueGreenSeen.Change;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Begun;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Source;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import dev.sluice.workflows.operation.Step;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides about a transition that was begun, before the new child is live. Pure. As long as there
 * is a live child to go back to, the new one has until the grace period is over. Without one (the
 * first deployment, or the live child was deleted by somebody) nothing is ever given up by itself.
 */
final class TransitionPlanner {

  private final BeginPlanner begins;
  private final InPlacePlanner inPlace;
  private final CutOverPlanner cutOvers;

  TransitionPlanner(BeginPlanner begins, InPlacePlanner inPlace, CutOverPlanner cutOvers) {
    this.begins = begins;
    this.inPlace = inPlace;
    this.cutOvers = cutOvers;
  }

  BlueGreenDecision decide(TransitionLook look, Begun begun) {
    Optional<ChildSeen> coming = look.seen().child(begun.to());
    if (coming.filter(it -> !it.ours()).isPresent()) {
      return BeginPlanner.taken(look, begun.to());
    }
    boolean isNewer = look.isOutrun(begun);
    Optional<ChildSeen> live = look.liveChild();
    if (begun.cut() != null && live.isPresent() && (!isNewer || begun.stops())) {
      return isNewer
          ? cutOvers.newer(look, begun, live.get(), coming)
          : cutOvers.decide(look, begun, live.get(), coming);
    }
    if (isNewer) {
      Optional<ChildSeen> onlyOne =
          coming.filter(it -> isLiveLost(look) && it.hasJob() && !it.deleting() && isOf(begun, it));
      return onlyOne.isPresent()
          ? newerOfTheOnlyOne(look, begun, onlyOne.get())
          : newer(look, begun, coming);
    }
    return begun.source() == Source.SAVEPOINT && begun.savepoint() == null
        ? savepoint(look, begun)
        : child(look, begun, coming);
  }

  private static boolean isLiveLost(TransitionLook look) {
    return look.live() != null && look.liveChild().isEmpty();
  }

  /**
   * A newer spec came, and the live child was deleted by somebody: the new child is the only one
   * that has the state. It becomes live first, or takes the newer spec over if it is not up.
   */
  private BlueGreenDecision newerOfTheOnlyOne(TransitionLook look, Begun begun, ChildSeen coming) {
    Phase phase = coming.phase();
    boolean up = phase instanceof Phase.Ready || phase instanceof Phase.Finished;
    boolean settles = phase instanceof Phase.Busy || phase instanceof Phase.Held;
    if (up || (settles && look.seen().problem() != null)) {
      return alone(look, begun, coming);
    }
    return look.seen().problem() != null
        ? newer(look, begun, Optional.of(coming))
        : begins.again(look, begun);
  }

  /** A newer spec came: the new child has no effect, whatever it has reached. */
  private BlueGreenDecision newer(TransitionLook look, Begun begun, Optional<ChildSeen> coming) {
    BlueGreenSeen seen = look.seen();
    Color live = look.live();
    if (seen.problem() != null) {
      return isOverdue(look, begun)
          ? overdue(look, begun, "the newest spec is not valid")
          : new Hold(
              Step.BEGIN_TRANSITION,
              false,
              Reasons.INVALID_SPEC,
              "Generation %d came during the transition for generation %d and is not valid: %s. Correct it, or abort."
                  .formatted(seen.generation(), begun.generation(), seen.problem()),
              false);
    }
    if (live == null) {
      return begins.first(look);
    }
    Optional<ChildSeen> child = look.liveChild();
    if (child.isEmpty()) {
      return begins.lost(look, live);
    }
    boolean reverted = seen.change() == Change.NONE && !inPlace.appliesTo(look, child.get());
    boolean changes = inPlace.appliesTo(look, child.get());
    if (!reverted && !changes) {
      Optional<BlueGreenDecision> next = begins.next(look, child.get());
      if (next.isPresent()) {
        return next.get();
      }
    }
    if (coming.isPresent()) {
      return new Delete(
          begun.to(),
          coming.get().uid(),
          "Deleting %s: generation %d needs no new child"
              .formatted(look.name(begun.to()), seen.generation()));
    }
    return reverted
        ? new End(
            Outcome.REACHED,
            seen.generation(),
            "Generation %d is what %s runs; the transition is not needed any more"
                .formatted(seen.generation(), look.name(live)))
        : new End(
            Outcome.REPLACED,
            begun.generation(),
            "Generation %d took the place of generation %d before that was live"
                .formatted(seen.generation(), begun.generation()));
  }

  private BlueGreenDecision savepoint(TransitionLook look, Begun begun) {
    Optional<ChildSeen> live = look.liveChild();
    if (live.isEmpty()) {
      return begins.lost(look, begun.to().other());
    }
    return isOverdue(look, begun)
        ? overdue(look, begun, "no savepoint was taken")
        : new TakeSavepoint(
            live.get().uid(),
            deadline(look, begun),
            "Taking a savepoint of %s, which runs on".formatted(look.name(live.get().color())));
  }

  private BlueGreenDecision child(TransitionLook look, Begun begun, Optional<ChildSeen> coming) {
    String name = look.name(begun.to());
    boolean fallback = look.liveChild().isPresent();
    boolean rewinds =
        isLiveLost(look)
            && begun.source() == Source.SAVEPOINT
            && look.nowMs() >= deadline(look, begun);
    if (rewinds && coming.filter(it -> it.hasJob() && isOf(begun, it)).isEmpty()) {
      // the live job may have gone on for long since that savepoint
      return begins.lost(look, begun.to().other());
    }
    if (coming.isEmpty()) {
      return isOverdue(look, begun)
          ? overdue(look, begun, "%s does not exist".formatted(name))
          : apply(look, begun, null);
    }
    ChildSeen child = coming.get();
    if (child.deleting()) {
      return new Delete(
          begun.to(),
          child.uid(),
          "Waiting until %s, which is being deleted, is gone".formatted(name));
    }
    if (!isOf(begun, child)) {
      return look.live() == null || (isLiveLost(look) && startsAsIn(begun, child))
          ? apply(look, begun, child.uid())
          : new Delete(
              begun.to(),
              child.uid(),
              "Deleting %s, which is of an earlier transition".formatted(name));
    }
    return fallback ? beside(look, begun, child) : alone(look, begun, child);
  }

  /** The old child is live meanwhile. */
  static BlueGreenDecision beside(TransitionLook look, Begun begun, ChildSeen child) {
    String name = look.name(child.color());
    Phase phase = child.phase();
    if (phase instanceof Phase.Failed failed) {
      return new GiveUp(Reasons.JOB_FAILED, "%s has failed: %s".formatted(name, failed.why()));
    }
    if (phase instanceof Phase.Suspended && !look.seen().settings().wantsRunning()) {
      return switchTo(look, child);
    }
    if (phase instanceof Phase.Suspended) {
      return new GiveUp(Reasons.ABORTED, name + " was suspended");
    }
    boolean through =
        !look.seen().settings().gated() || child.uid().equals(look.asked().gatesPassed());
    if (phase instanceof Phase.Finished || (phase instanceof Phase.Ready && through)) {
      return switchTo(look, child);
    }
    if (isOverdue(look, begun)) {
      return overdue(
          look,
          begun,
          phase instanceof Phase.Ready
              ? name + " is not through its gates"
              : "%s is not ready: %s".formatted(name, TransitionLook.words(phase)));
    }
    return phase instanceof Phase.Ready
        ? new PassGates(
            child.color(),
            child.uid(),
            deadline(look, begun),
            "Waiting until %s is through its gates".formatted(name))
        : await(look, child, deadline(look, begun));
  }

  /** There is nothing to go back to. */
  private static BlueGreenDecision alone(TransitionLook look, Begun begun, ChildSeen child) {
    Phase phase = child.phase();
    if (!child.hasJob()) {
      return apply(look, begun, child.uid());
    }
    if (phase instanceof Phase.Busy || phase instanceof Phase.Held) {
      return await(look, child, null);
    }
    if (phase instanceof Phase.Failed failed) {
      return new Hold(
          Step.AWAIT_CHILD,
          false,
          Reasons.JOB_FAILED,
          "%s has failed: %s. Correct the spec, or help the child; no other child is there to go back to."
              .formatted(look.name(child.color()), failed.why()),
          false);
    }
    return phase instanceof Phase.Suspended && look.seen().settings().wantsRunning()
        ? apply(look, begun, child.uid())
        : switchTo(look, child);
  }

  static BlueGreenDecision apply(TransitionLook look, Begun begun, @Nullable String seen) {
    boolean waits = begun.source() == Source.SAVEPOINT && begun.savepoint() == null;
    String from =
        switch (begun.source()) {
          case SAVEPOINT, KNOWN -> waits ? "without a job yet" : "from " + begun.savepoint();
          case SPEC -> "as the spec says";
          case EMPTY -> "without state";
        };
    return new Apply(
        begun.to(),
        begun.generation(),
        seen,
        "Writing %s for %s, %s".formatted(look.name(begun.to()), look.newest(), from));
  }

  static BlueGreenDecision await(TransitionLook look, ChildSeen child, @Nullable Long untilMs) {
    return new Await(
        child.color(),
        child.uid(),
        untilMs,
        "Waiting until %s is ready: %s"
            .formatted(look.name(child.color()), TransitionLook.words(child.phase())));
  }

  private static BlueGreenDecision switchTo(TransitionLook look, ChildSeen child) {
    return new Switch(
        child.color(), false, "%s is live from now on".formatted(look.name(child.color())));
  }

  /** Whether the child was made by this transition, from what that starts from. */
  static boolean isOf(Begun begun, ChildSeen child) {
    return child.madeFor() == begun.generation() && startsAsIn(begun, child);
  }

  private static boolean startsAsIn(Begun begun, ChildSeen child) {
    return begun.source() == Source.SPEC
        || !child.hasJob()
        || Objects.equals(begun.savepoint(), child.startsFrom());
  }

  static long deadline(TransitionLook look, Begun begun) {
    return begun.sinceMs() + look.seen().settings().graceMs();
  }

  static boolean isOverdue(TransitionLook look, Begun begun) {
    return look.liveChild().isPresent() && look.nowMs() >= deadline(look, begun);
  }

  static BlueGreenDecision overdue(TransitionLook look, Begun begun, String what) {
    return new GiveUp(
        Reasons.TIMED_OUT,
        "The grace period of %d s is over, and %s"
            .formatted(look.seen().settings().graceMs() / 1_000, what));
  }
}
