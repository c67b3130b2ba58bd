package dev.sluice.workflows.bluegreen;

import dev.sluice.workflows.bluegreen.BlueGreenDecision.Await;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Delete;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.ResumeLive;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Begun;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Source;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import java.time.Duration;
import java.util.Optional;

/**
 * Decides how an exactly-once cut-over goes back before the new child is live. Nothing of the new
 * child may run, or come to, when the live job goes on: it goes on from the state that the new one
 * was started with. Pure.
 */
final class WayBack {

  /** How long the live job may take to run again, until that is left to its own lane. */
  private static final Duration RESUMES = Duration.ofMinutes(5);

  /**
   * The next step; empty when the live child is as before, and the new one is gone.
   *
   * @param live the child that is live, and exists
   */
  Optional<BlueGreenDecision> next(TransitionLook look, Begun begun, ChildSeen live) {
    Optional<ChildSeen> coming = look.seen().child(begun.to()).filter(ChildSeen::ours);
    String name = look.name(live.color());
    if (!begun.stops() || (mayRun(begun) && coming.isPresent())) {
      return coming.map(it -> delete(look, it));
    }
    if (!live.toldToRun() && !hasEnded(begun, live)) {
      return Optional.of(
          new ResumeLive(
              live.color(),
              live.uid(),
              "Going back: the job of %s runs again%s".formatted(name, from(begun))));
    }
    Phase phase = live.phase();
    if ((phase instanceof Phase.Busy || phase instanceof Phase.Held) && !look.asked().patient()) {
      return Optional.of(
          new Await(
              live.color(),
              live.uid(),
              look.nowMs() + RESUMES.toMillis(),
              "Going back: waiting until the job of %s runs again%s: %s"
                  .formatted(name, from(begun), TransitionLook.words(phase))));
    }
    return coming.map(it -> delete(look, it));
  }

  /** In words, what became of the live job. */
  static String outcome(TransitionLook look, Begun begun, ChildSeen live) {
    String name = look.name(live.color());
    if (!begun.stops()) {
      return name + " is live as before";
    }
    return live.phase() instanceof Phase.Ready || live.phase() instanceof Phase.Finished
        ? "%s is live as before; its job went on%s".formatted(name, from(begun))
        : "%s is live as before; its job is told to go on%s: %s"
            .formatted(name, from(begun), TransitionLook.words(live.phase()));
  }

  /**
   * It ended by itself before it could be stopped with a savepoint: it would run again from the
   * beginning.
   */
  private static boolean hasEnded(Begun begun, ChildSeen live) {
    return begun.source() != Source.EMPTY
        && live.phase() instanceof Phase.Suspended suspended
        && suspended.state() == null;
  }

  /** The new job is only started once it is known what from. */
  private static boolean mayRun(Begun begun) {
    return begun.source() != Source.SAVEPOINT || begun.savepoint() != null;
  }

  private static String from(Begun begun) {
    return begun.savepoint() == null ? "" : " from " + begun.savepoint();
  }

  private static BlueGreenDecision delete(TransitionLook look, ChildSeen coming) {
    return new Delete(
        coming.color(),
        coming.uid(),
        "Deleting %s, which is given up".formatted(look.name(coming.color())));
  }
}
