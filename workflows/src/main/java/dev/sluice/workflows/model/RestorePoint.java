package dev.sluice.workflows.model;

import org.jspecify.annotations.Nullable;

/**
 * The state that an operation recorded, and the job that is started from it. While that job cannot
 * have progressed, the state is the newest there is; as soon as it may have, it is not.
 *
 * @param state never {@link StateRef.Unknown}
 * @param takenFrom job id of the job that is given up for it: the one that the state was taken
 *     from, or, in a rollback, the one that is rolled back; null when there was none
 * @param startedJob job id of the job that is started from it
 */
public record RestorePoint(StateRef state, @Nullable String takenFrom, String startedJob) {
  /** Refuses an unknown state. */
  public RestorePoint {
    if (!state.isKnown()) {
      throw new IllegalArgumentException("An unknown state cannot be recorded: " + state.display());
    }
  }
}
