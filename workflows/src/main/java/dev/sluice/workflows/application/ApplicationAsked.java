package dev.sluice.workflows.application;

import org.jspecify.annotations.Nullable;

/**
 * What was asked of a run, and what it knows beyond what it sees. A run that begins anew knows none
 * of it and comes to the same end, only later.
 *
 * @param again a spec whose deployment has failed is tried again, because that was requested
 * @param givesUp why the target is being given up; null when it is not
 * @param patient it was waited for what was not known
 * @param savepointFailed the job of which a savepoint has failed, and which runs on
 * @param down the job that surely does not run, though its JobManager is silent
 * @param submitted the job that this run has submitted
 * @param verified the job that was seen up
 * @param promotionFailed the target, next to the deployed version, cannot prove itself any more
 * @param stuck a roll-back or recovery cannot go on by itself
 */
record ApplicationAsked(
    boolean again,
    @Nullable String givesUp,
    boolean patient,
    @Nullable String savepointFailed,
    @Nullable String down,
    @Nullable String submitted,
    @Nullable String verified,
    boolean promotionFailed,
    boolean stuck) {

  /** Nothing was asked, and nothing is known. */
  static final ApplicationAsked NOTHING =
      new ApplicationAsked(false, null, false, null, null, null, null, false, false);
}
