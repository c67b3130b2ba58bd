package dev.sluice.workflows.deployment;

import org.jspecify.annotations.Nullable;

/**
 * How an operation ends that has reached its target.
 *
 * @param provesItself the job is waited for until it is stable, not only up: not in a recovery,
 *     whose spec was stable before, and whose tries are counted
 * @param givenUpFor why a newer spec was given up for it; null when none was, or it is not known
 */
record Ending(boolean provesItself, @Nullable String givenUpFor) {

  /** Suffix of the last message. */
  String because() {
    return givenUpFor == null ? "" : ". The newer spec was given up: " + givenUpFor;
  }
}
