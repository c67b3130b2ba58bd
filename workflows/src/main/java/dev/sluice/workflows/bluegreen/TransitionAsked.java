package dev.sluice.workflows.bluegreen;

import dev.sluice.api.bluegreen.Color;
import org.jspecify.annotations.Nullable;

/**
 * What was asked of a run, and what it knows beyond what it sees. A run that begins anew knows none
 * of it and comes to the same end, only later.
 *
 * @param again a spec that was given up is tried again, because that was requested
 * @param retry a retry was requested just now: {@code sluice.dev/restore-from} counts
 * @param givesUp the transition is being given up
 * @param patient it was waited for the child to settle
 * @param gatesPassed uid of the child whose job is through the gates; null when none is
 * @param ingressAt the child that the Ingress was seen to point at; null when none was
 * @param wentBack this run has made the old child live again
 * @param suspended uid of the child that this run had suspend its job; null when none
 * @param delayOver the old child need not be kept any longer
 */
record TransitionAsked(
    boolean again,
    boolean retry,
    boolean givesUp,
    boolean patient,
    @Nullable String gatesPassed,
    @Nullable Color ingressAt,
    boolean wentBack,
    @Nullable String suspended,
    boolean delayOver) {

  /** Nothing was asked, and nothing is known. */
  static final TransitionAsked NOTHING =
      new TransitionAsked(false, false, false, false, null, null, false, null, false);
}
