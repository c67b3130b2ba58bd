package dev.sluice.workflows.bluegreen;

import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Apply;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Await;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.End;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Hold;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Outcome;
import dev.sluice.workflows.bluegreen.BlueGreenSeen.Change;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import dev.sluice.workflows.operation.Step;

/**
 * Decides about a change that the live child takes over itself, in its own lane: suspended, running
 * again, or with what needs no new job. Pure.
 */
final class InPlacePlanner {

  /**
   * Whether the newest spec is such a change. A job that is not to run needs no second child, and a
   * live child that has a spec which was never reached gets the newest one. What {@code
   * savepointRedeployNonce} asks for needs one in any case: the live one would resume from what its
   * own job has left.
   */
  boolean appliesTo(TransitionLook look, ChildSeen live) {
    return switch (look.seen().change()) {
      case SUSPEND, RESUME, PATCH -> true;
      case TRANSITION -> !look.seen().settings().wantsRunning();
      case NONE -> live.madeFor() > look.seen().standing().reached();
      case SAVEPOINT_REDEPLOY, FIRST -> false;
    };
  }

  BlueGreenDecision decide(TransitionLook look, ChildSeen live) {
    BlueGreenSeen seen = look.seen();
    String name = look.name(live.color());
    if (live.madeFor() != seen.generation()) {
      return new Apply(
          live.color(),
          seen.generation(),
          live.uid(),
          "Changing %s in place to %s%s".formatted(name, look.newest(), how(look)));
    }
    boolean running = seen.settings().wantsRunning();
    Phase phase = live.phase();
    if (phase instanceof Phase.Busy || phase instanceof Phase.Held) {
      return new Await(
          live.color(),
          live.uid(),
          null,
          "Waiting until %s has taken %s over: %s"
              .formatted(name, look.newest(), TransitionLook.words(phase)));
    }
    if (phase instanceof Phase.Finished
        || (running ? phase instanceof Phase.Ready : phase instanceof Phase.Suspended)) {
      return new End(
          Outcome.REACHED,
          seen.generation(),
          "%s has taken %s over: %s".formatted(name, look.newest(), TransitionLook.words(phase)));
    }
    boolean failed = phase instanceof Phase.Failed;
    return new Hold(
        Step.AWAIT_CHILD,
        !failed,
        failed ? Reasons.JOB_FAILED : Reasons.BLOCKED,
        "%s does not take %s over: %s. Correct the spec, or help the child."
            .formatted(name, look.newest(), TransitionLook.words(phase)),
        false);
  }

  private static String how(TransitionLook look) {
    if (!look.seen().settings().wantsRunning()) {
      return ": its job is suspended";
    }
    return look.seen().change() == Change.RESUME ? ": its job is resumed" : "";
  }

  /** What is told when the change is given up. */
  String givenUp(TransitionLook look, ChildSeen live) {
    return live.madeFor() == look.seen().generation()
        ? "%s has the spec of generation %d already, and its own operation goes on: abort or change that"
            .formatted(look.name(live.color()), look.seen().generation())
        : "nothing was begun";
  }
}
