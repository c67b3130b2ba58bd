package dev.sluice.workflows.bluegreen;

import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.End;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Hold;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Invalid;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Nothing;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Outcome;
import dev.sluice.workflows.bluegreen.BlueGreenSeen.Change;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Begun;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import dev.sluice.workflows.operation.Step;
import java.util.Optional;

/**
 * Decides how a FlinkBlueGreenDeployment gets to its newest spec, one step at a time, from what is
 * there. Pure. Run again after any interruption it picks up where things stand. Two rules stand
 * above all others: the live child is neither deleted nor suspended for another one before that is
 * live and ready, and no child starts without the state of the live one.
 */
final class BlueGreenPlanner {

  private final BeginPlanner begins = new BeginPlanner();
  private final InPlacePlanner inPlace = new InPlacePlanner();
  private final WayBack back = new WayBack();
  private final TransitionPlanner underway =
      new TransitionPlanner(begins, inPlace, new CutOverPlanner(inPlace, back));
  private final SwitchedPlanner switched = new SwitchedPlanner();
  private final GiveUpPlanner givingUp = new GiveUpPlanner(back);

  /**
   * @param parent name of the resource
   * @param seen what it and its children say
   * @param asked what was asked of the run
   * @param nowMs ms since the epoch
   */
  BlueGreenDecision decide(String parent, BlueGreenSeen seen, TransitionAsked asked, long nowMs) {
    TransitionLook look = new TransitionLook(parent, seen, asked, nowMs);
    Begun begun = seen.standing().transition();
    if (begun == null) {
      BlueGreenDecision next = idle(look);
      return rests(next) ? givingUp.stray(look).orElse(next) : next;
    }
    if (begun.to() == seen.standing().live()) {
      return switched.decide(look, begun);
    }
    return asked.givesUp() || begun.switchedMs() != null
        ? givingUp.decide(look, begun)
        : underway.decide(look, begun);
  }

  /** Whether nothing is done to a child now. */
  private static boolean rests(BlueGreenDecision next) {
    return next instanceof Nothing
        || next instanceof Invalid
        || next instanceof Hold
        || next instanceof End;
  }

  private BlueGreenDecision idle(TransitionLook look) {
    BlueGreenSeen seen = look.seen();
    Color live = look.live();
    Optional<ChildSeen> child = look.liveChild();
    boolean changes = child.filter(it -> inPlace.appliesTo(look, it)).isPresent();
    boolean stands = child.filter(ChildSeen::hasJob).isPresent();
    if (seen.change() == Change.NONE && !changes && stands) {
      return upToDate(look);
    }
    if (look.isGivenUp()) {
      return new Nothing(
          true,
          "Generation %d was given up. Change the spec, or request sluice.dev/retry."
              .formatted(seen.generation()));
    }
    if (look.asked().givesUp()) {
      return new End(
          Outcome.GIVEN_UP,
          seen.generation(),
          changes ? inPlace.givenUp(look, child.orElseThrow()) : "nothing was begun");
    }
    if (seen.problem() != null) {
      return new Invalid(seen.problem());
    }
    return live == null ? begins.first(look) : onward(look, live, seen.child(live), changes);
  }

  private BlueGreenDecision onward(
      TransitionLook look, Color live, Optional<ChildSeen> found, boolean changes) {
    if (found.isEmpty()) {
      return begins.lost(look, live);
    }
    ChildSeen child = found.get();
    if (!child.ours()) {
      return BeginPlanner.taken(look, live);
    }
    if (child.deleting()) {
      return new Hold(
          Step.BEGIN_TRANSITION,
          true,
          Reasons.JOB_NOT_RUNNING,
          "The live child %s is being deleted by somebody".formatted(look.name(live)),
          false);
    }
    return changes || hasNewest(look, child)
        ? inPlace.decide(look, child)
        : begins.next(look, child).orElseGet(() -> inPlace.decide(look, child));
  }

  /** It was written in place, or has come up after its transition was given up. */
  private static boolean hasNewest(TransitionLook look, ChildSeen live) {
    return live.madeFor() == look.seen().generation()
        && (live.phase() instanceof Phase.Ready || live.phase() instanceof Phase.Finished);
  }

  private static BlueGreenDecision upToDate(TransitionLook look) {
    long generation = look.seen().generation();
    String why = "Generation %d is what was reached last".formatted(generation);
    return look.seen().standing().reached() == generation
        ? new Nothing(false, why)
        : new End(Outcome.REACHED, generation, why + ": nothing has to be changed");
  }
}
