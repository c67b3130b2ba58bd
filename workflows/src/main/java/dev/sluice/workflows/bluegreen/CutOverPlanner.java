package dev.sluice.workflows.bluegreen;

import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Delete;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.End;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.GiveUp;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Outcome;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.StopLive;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Begun;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Source;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import java.util.Optional;

/**
 * Decides about an exactly-once cut-over whose new child is not live yet, and whose live one is
 * there: the new cluster first, then the live job is stopped, then the new one started. At no
 * moment may both run. Pure.
 */
final class CutOverPlanner {

  private final InPlacePlanner inPlace;
  private final WayBack back;

  CutOverPlanner(InPlacePlanner inPlace, WayBack back) {
    this.inPlace = inPlace;
    this.back = back;
  }

  /**
   * @param live the child that is live, and exists
   */
  BlueGreenDecision decide(
      TransitionLook look, Begun begun, ChildSeen live, Optional<ChildSeen> found) {
    String name = look.name(begun.to());
    if (found.isEmpty()) {
      if (TransitionPlanner.isOverdue(look, begun)) {
        return TransitionPlanner.overdue(look, begun, "%s does not exist".formatted(name));
      }
      return runsAgain(begun, live)
          ? givenUpAs(look, live)
          : TransitionPlanner.apply(look, begun, null);
    }
    ChildSeen coming = found.get();
    if (coming.deleting()) {
      return new Delete(
          begun.to(),
          coming.uid(),
          "Waiting until %s, which is being deleted, is gone".formatted(name));
    }
    if (!TransitionPlanner.isOf(begun, coming)) {
      return new Delete(
          begun.to(),
          coming.uid(),
          "Deleting %s, which is of an earlier transition".formatted(name));
    }
    if (runsAgain(begun, live) || (coming.hasJob() && live.mayRun())) {
      return givenUpAs(look, live);
    }
    return coming.hasJob()
        ? TransitionPlanner.beside(look, begun, coming)
        : cluster(look, begun, live, coming);
  }

  /** The new session cluster has no job yet. */
  private static BlueGreenDecision cluster(
      TransitionLook look, Begun begun, ChildSeen live, ChildSeen coming) {
    Phase phase = coming.phase();
    String name = look.name(coming.color());
    if (phase instanceof Phase.Failed failed) {
      return new GiveUp(Reasons.JOB_FAILED, "%s has failed: %s".formatted(name, failed.why()));
    }
    Optional<String> other = progressed(begun, live);
    if (other.isPresent()) {
      return new GiveUp(Reasons.ABORTED, "%s %s".formatted(look.name(live.color()), other.get()));
    }
    if (live.isStopped() && isStateKnown(begun) && !TransitionPlanner.isOverdue(look, begun)) {
      return TransitionPlanner.apply(look, begun, coming.uid());
    }
    Optional<String> stays =
        live.isStopped() || (begun.stops() && !live.toldToRun())
            ? notStopped(begun, live)
            : Optional.empty();
    if (stays.isPresent()) {
      return new GiveUp(
          Reasons.SAVEPOINT_FAILED,
          "%s was not stopped with a savepoint: %s"
              .formatted(look.name(live.color()), stays.get()));
    }
    if (TransitionPlanner.isOverdue(look, begun)) {
      return TransitionPlanner.overdue(
          look,
          begun,
          phase instanceof Phase.Prepared
              ? "%s is not stopped: %s"
                  .formatted(look.name(live.color()), TransitionLook.words(live.phase()))
              : "%s is not ready: %s".formatted(name, TransitionLook.words(phase)));
    }
    // once it was told to stop it is looked at, however the new cluster is
    return phase instanceof Phase.Prepared || (begun.stops() && !live.mayRun())
        ? stop(look, begun, live)
        : TransitionPlanner.await(look, coming, TransitionPlanner.deadline(look, begun));
  }

  private static BlueGreenDecision stop(TransitionLook look, Begun begun, ChildSeen live) {
    return new StopLive(
        live.uid(),
        TransitionPlanner.deadline(look, begun),
        "Stopping the job of %s%s: %s is there to go on"
            .formatted(
                look.name(live.color()),
                look.seen().settings().stateless() ? "" : " with a savepoint",
                look.name(begun.to())));
  }

  /** Why it will not come to a state that the new job could start from; empty when it may. */
  private static Optional<String> notStopped(Begun begun, ChildSeen live) {
    Phase phase = live.phase();
    boolean nothing =
        begun.source() == Source.SAVEPOINT
            && begun.savepoint() == null
            && live.isStopped()
            && TransitionLook.state(phase) == null;
    if (nothing) {
      return Optional.of("it has left none");
    }
    return phase instanceof Phase.Held || phase instanceof Phase.Failed
        ? Optional.of(TransitionLook.words(phase))
        : Optional.empty();
  }

  private static boolean isStateKnown(Begun begun) {
    return begun.source() != Source.SAVEPOINT || begun.savepoint() != null;
  }

  /** It was stopped, and somebody has it run again: what it left is the newest state no more. */
  private static boolean runsAgain(Begun begun, ChildSeen live) {
    boolean noted = begun.source() == Source.SAVEPOINT && begun.savepoint() != null;
    return begun.stops() && (begun.wasSuspended() || noted) && live.mayRun();
  }

  /** Why the live job has gone on from what the new one would start from; empty when it has not. */
  private static Optional<String> progressed(Begun begun, ChildSeen live) {
    boolean fromLive =
        begun.source() == Source.SAVEPOINT || (begun.source() == Source.KNOWN && !begun.stops());
    if (!fromLive || begun.savepoint() == null) {
      return Optional.empty();
    }
    if (begun.source() == Source.KNOWN && live.phase() instanceof Phase.Ready) {
      return Optional.of("runs again");
    }
    String left = TransitionLook.state(live.phase());
    return left == null || left.equals(begun.savepoint())
        ? Optional.empty()
        : Optional.of("has left %s since, and not %s".formatted(left, begun.savepoint()));
  }

  private static GiveUp givenUpAs(TransitionLook look, ChildSeen live) {
    return new GiveUp(
        Reasons.ABORTED, "the job of %s runs again".formatted(look.name(live.color())));
  }

  /**
   * A newer spec came after the live job was told to stop. A new job that is up is finished with;
   * otherwise the way is back first, because the live job must not wait for a spec.
   */
  BlueGreenDecision newer(
      TransitionLook look, Begun begun, ChildSeen live, Optional<ChildSeen> coming) {
    Optional<ChildSeen> up =
        coming.filter(
            it ->
                it.hasJob()
                    && !it.deleting()
                    && TransitionPlanner.isOf(begun, it)
                    && live.isStopped()
                    && (it.phase() instanceof Phase.Ready || it.phase() instanceof Phase.Finished));
    if (up.isPresent()) {
      return TransitionPlanner.beside(look, begun, up.get());
    }
    return back.next(look, begun, live).orElseGet(() -> replaced(look, begun, live));
  }

  private End replaced(TransitionLook look, Begun begun, ChildSeen live) {
    long newest = look.seen().generation();
    String outcome = WayBack.outcome(look, begun, live);
    boolean reverted =
        look.seen().change() == BlueGreenSeen.Change.NONE && !inPlace.appliesTo(look, live);
    return reverted
        ? new End(
            Outcome.REACHED,
            newest,
            "Generation %d needs no transition any more: %s".formatted(newest, outcome))
        : new End(
            Outcome.REPLACED,
            begun.generation(),
            "Generation %d took the place of generation %d before that was live: %s"
                .formatted(newest, begun.generation(), outcome));
  }
}
