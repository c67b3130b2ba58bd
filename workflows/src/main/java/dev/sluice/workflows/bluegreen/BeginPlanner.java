package dev.sluice.workflows.bluegreen;

import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Await;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Begin;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Delete;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Hold;
import dev.sluice.workflows.bluegreen.BlueGreenSeen.Change;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Begun;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Source;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepLimits;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides how a transition begins: to which child, and where the state of its job comes from. Pure.
 * A child never starts without the state of the live one, unless the spec or a person says so.
 */
final class BeginPlanner {

  private static final String EMPTY = "empty";

  private static final String CHOOSE =
      " To start the new child from something else, annotate with sluice.dev/restore-from=<path>"
          + " (or empty) and sluice.dev/retry.";

  /** No spec was ever reached. */
  BlueGreenDecision first(TransitionLook look) {
    Optional<ChildSeen> blue = look.seen().child(Color.BLUE);
    Optional<ChildSeen> green = look.seen().child(Color.GREEN);
    boolean both = blue.isPresent() && green.isPresent() && blue.get().ours() && green.get().ours();
    if (both && !blue.get().deleting() && !green.get().deleting()) {
      return new Hold(
          Step.BEGIN_TRANSITION,
          false,
          Reasons.NAME_TAKEN,
          "%s and %s both exist, and the status does not say which one is live. Delete the one that is not."
              .formatted(look.name(Color.BLUE), look.name(Color.GREEN)),
          false);
    }
    Color to =
        green.filter(ChildSeen::ours).isPresent() && blue.isEmpty() ? Color.GREEN : Color.BLUE;
    Optional<ChildSeen> child = look.seen().child(to);
    if (child.isPresent() && !child.get().ours()) {
      return taken(look, to);
    }
    if (child.isPresent() && child.get().deleting()) {
      return new Delete(
          to, child.get().uid(), "%s is being deleted by somebody".formatted(look.name(to)));
    }
    return new Begin(
        to,
        Source.SPEC,
        null,
        "Deploying %s as the first child, for %s".formatted(look.name(to), look.newest()));
  }

  /** The live child does not exist any more: nothing of it is known but what a person knows. */
  BlueGreenDecision lost(TransitionLook look, Color live) {
    Color to = live.other();
    String lost =
        "The live child %s does not exist any more, and its state went with it"
            .formatted(look.name(live));
    if (look.seen().settings().stateless()) {
      return cleared(look, to, Source.EMPTY, null, lost + "; the spec is stateless");
    }
    return chosenOrParked(look, to, lost + ". Nothing is started without it." + left(look, to));
  }

  /** What somebody says that the job starts from; without that its state is not found. */
  private static BlueGreenDecision chosenOrParked(TransitionLook look, Color to, String why) {
    return look.choice()
        .map(choice -> chosen(look, to, choice))
        .orElseGet(
            () ->
                new Hold(
                    Step.BEGIN_TRANSITION, false, Reasons.STATE_NOT_FOUND, why + CHOOSE, true));
  }

  private static String left(TransitionLook look, Color to) {
    Begun begun = look.seen().standing().transition();
    String taken =
        begun == null || begun.savepoint() == null || begun.to() != to
            ? ""
            : " The savepoint of this transition, %s, may be older than what it had reached."
                .formatted(begun.savepoint());
    return look.seen().child(to).isPresent()
        ? "%s %s, which is of an earlier transition, is deleted then; keep what you need of it."
            .formatted(taken, look.name(to))
        : taken;
  }

  /** The child that comes has the only state there is, and takes the newest spec over. */
  BlueGreenDecision again(TransitionLook look, Begun begun) {
    boolean redeploys = look.seen().change() == Change.SAVEPOINT_REDEPLOY;
    Source kept = begun.source() == Source.SAVEPOINT ? Source.KNOWN : begun.source();
    return new Begin(
        begun.to(),
        redeploys ? Source.SPEC : kept,
        redeploys ? null : begun.savepoint(),
        "%s is the only child that is left and takes %s over"
            .formatted(look.name(begun.to()), look.newest()));
  }

  /** The newest spec needs a new child; empty when the live one is changed in place instead. */
  Optional<BlueGreenDecision> next(TransitionLook look, ChildSeen live) {
    Color to = live.color().other();
    if (look.seen().change() == Change.SAVEPOINT_REDEPLOY) {
      return Optional.of(cleared(look, to, Source.SPEC, null, "from what the spec names"));
    }
    if (look.seen().settings().stateless()) {
      return Optional.of(cleared(look, to, Source.EMPTY, null, "without state: it is stateless"));
    }
    if (live.phase() instanceof Phase.Ready) {
      return Optional.of(
          cleared(
              look,
              to,
              Source.SAVEPOINT,
              null,
              look.seen().settings().exactlyOnce()
                  ? "from the savepoint that %s is stopped with".formatted(look.name(live.color()))
                  : "from a savepoint of %s, which runs on".formatted(look.name(live.color()))));
    }
    if (live.phase() instanceof Phase.Suspended suspended) {
      return Optional.ofNullable(suspended.state()).map(state -> known(look, to, state));
    }
    if (live.phase() instanceof Phase.Finished finished) {
      if (!finished.told()) {
        return Optional.of(
            unknown(
                look, live, "its job has finished, and whether it left a savepoint is not known"));
      }
      return Optional.of(
          finished.state() == null
              ? cleared(
                  look, to, Source.EMPTY, null, "from the beginning: the live job has finished")
              : known(look, to, finished.state()));
    }
    return Optional.of(notReady(look, live));
  }

  private static BlueGreenDecision known(TransitionLook look, Color to, String state) {
    return cleared(look, to, Source.KNOWN, state, "from " + state);
  }

  /** Of a job on a session cluster only its JobManager tells what it left, as long as it knows. */
  private static BlueGreenDecision unknown(TransitionLook look, ChildSeen live, String why) {
    return chosenOrParked(
        look, live.color().other(), "%s: %s.".formatted(look.name(live.color()), why));
  }

  private static BlueGreenDecision notReady(TransitionLook look, ChildSeen live) {
    if (!live.hasJob()) {
      return unknown(look, live, "its FlinkSessionJob does not exist, and its state went with it");
    }
    Optional<String> choice = look.choice();
    if (choice.isPresent()) {
      return chosen(look, live.color().other(), choice.get());
    }
    String name = look.name(live.color());
    String why = TransitionLook.words(live.phase());
    if (live.phase() instanceof Phase.Busy && !look.asked().patient()) {
      return new Await(
          live.color(),
          live.uid(),
          look.nowMs() + StepLimits.PATIENCE.toMillis(),
          "Waiting until the live child %s is ready for a savepoint: %s".formatted(name, why));
    }
    boolean failed = live.phase() instanceof Phase.Failed;
    return new Hold(
        Step.BEGIN_TRANSITION,
        !failed,
        failed ? Reasons.JOB_FAILED : Reasons.JOB_NOT_RUNNING,
        "No savepoint can be taken of the live child %s: %s. Bring it back first, for example with sluice.dev/retry on it.%s"
            .formatted(name, why, CHOOSE),
        true);
  }

  private static BlueGreenDecision chosen(TransitionLook look, Color to, String choice) {
    return choice.equals(EMPTY)
        ? cleared(look, to, Source.EMPTY, null, "without state, as sluice.dev/restore-from says")
        : cleared(
            look,
            to,
            Source.KNOWN,
            choice,
            "from %s, as sluice.dev/restore-from says".formatted(choice));
  }

  /** What an earlier transition left in the place of the new child goes first. */
  private static BlueGreenDecision cleared(
      TransitionLook look, Color to, Source source, @Nullable String known, String from) {
    Optional<ChildSeen> left = look.seen().child(to);
    if (left.isEmpty()) {
      return new Begin(
          to,
          source,
          known,
          "Transition to %s for %s, %s".formatted(look.name(to), look.newest(), from));
    }
    return left.get().ours()
        ? new Delete(
            to,
            left.get().uid(),
            "Deleting %s, which is of an earlier transition".formatted(look.name(to)))
        : taken(look, to);
  }

  /** A resource of that name is not of this parent. */
  static BlueGreenDecision taken(TransitionLook look, Color child) {
    boolean goes = look.seen().child(child).filter(ChildSeen::deleting).isPresent();
    return new Hold(
        Step.BEGIN_TRANSITION,
        goes,
        Reasons.NAME_TAKEN,
        goes
            ? "FlinkDeployment %s, which is not a child of %s, is being deleted"
                .formatted(look.name(child), look.parent())
            : "FlinkDeployment %s exists and is not a child of %s. Delete or rename it."
                .formatted(look.name(child), look.parent()),
        false);
  }
}
