package dev.sluice.activities.job;

import dev.sluice.workflows.model.StateRef;

/** What the storage says of the newest checkpoint of a job that has ended. */
public sealed interface StoredState {

  /**
   * It is certainly the newest among files.
   *
   * @param id counts up over all checkpoints and savepoints of the job
   * @param writtenMs when it was complete, ms since the epoch
   */
  record Newest(StateRef.Checkpoint checkpoint, long id, long writtenMs) implements StoredState {}

  /**
   * The directory was read, and has none.
   *
   * @param why in words
   */
  record Nothing(String why) implements StoredState {}

  /**
   * There are some, and which state is the newest cannot be told.
   *
   * @param why in words
   */
  record Doubtful(String why) implements StoredState {}

  /**
   * The directory is not configured, or cannot be read from here.
   *
   * @param why in words
   */
  record Unreadable(String why) implements StoredState {}
}
