package dev.sluice.workflows.bluegreen;

import dev.sluice.api.bluegreen.Color;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Begun;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All that a decision depends on.
 *
 * @param parent its name
 * @param seen what the resource and its children say
 * @param asked what was asked of the run
 * @param nowMs ms since the epoch
 */
record TransitionLook(String parent, BlueGreenSeen seen, TransitionAsked asked, long nowMs) {

  /** Name of that child. */
  String name(Color color) {
    return color.child(parent);
  }

  /** Which child is live; null when none is. */
  @Nullable Color live() {
    return seen.standing().live();
  }

  /** The live child, if it exists and is to stay. */
  Optional<ChildSeen> liveChild() {
    Color live = live();
    return live == null
        ? Optional.empty()
        : seen.child(live).filter(ChildSeen::ours).filter(it -> !it.deleting());
  }

  /** Whether a newer spec came than the transition was begun with, and a child would see it. */
  boolean isOutrun(Begun begun) {
    boolean goesOn = seen.sameTemplate() && seen.problem() == null;
    return seen.generation() > begun.generation() && !goesOn;
  }

  /** What is given up with a transition: also a newer spec that is the same for a child. */
  long givenUpWith(Begun begun) {
    return seen.sameTemplate() ? seen.generation() : begun.generation();
  }

  /** Whether the newest spec is the one that was given up, and nobody wants it tried again. */
  boolean isGivenUp() {
    return seen.standing().givenUp() == seen.generation() && !asked.again();
  }

  /** What the user wants the job started from, as far as that counts now. */
  Optional<String> choice() {
    return Optional.ofNullable(seen.restoreFrom())
        .map(String::strip)
        .filter(it -> asked.retry() && !it.isEmpty());
  }

  /** The phase as a sentence goes on with: {@code its job is not up}. */
  static String words(Phase phase) {
    if (phase instanceof Phase.Busy busy) {
      return busy.what();
    }
    if (phase instanceof Phase.Held held) {
      return "it is held: " + held.why();
    }
    if (phase instanceof Phase.Failed failed) {
      return "it has failed: " + failed.why();
    }
    if (phase instanceof Phase.Suspended) {
      return "it is suspended";
    }
    if (phase instanceof Phase.Prepared) {
      return "its session cluster is ready and has no job";
    }
    return phase instanceof Phase.Finished ? "its job has finished" : "it is ready";
  }

  /** The state that a job has left; null when none is known. */
  static @Nullable String state(Phase phase) {
    if (phase instanceof Phase.Suspended suspended) {
      return suspended.state();
    }
    return phase instanceof Phase.Finished finished ? finished.state() : null;
  }

  /** {@code generation 7}, with what is deployed. */
  String newest() {
    return "generation %d (%s)".formatted(seen.generation(), seen.settings().summary());
  }
}
