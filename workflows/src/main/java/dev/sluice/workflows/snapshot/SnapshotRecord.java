package dev.sluice.workflows.snapshot;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.sluice.api.common.BoundedText;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.workflows.snapshot.SnapshotActivities.Trigger;
import org.jspecify.annotations.Nullable;

/**
 * The status of a snapshot, apart from its operation.
 *
 * @param state how far it has come
 * @param failures how many attempts failed
 * @param trigger of the newest attempt; null when none was triggered
 * @param path where it is; null when it was not taken, or Flink does not return it
 * @param error why the newest attempt failed, or why it was given up; null when neither is so
 * @param resultAtMs time of the newest success or failure, ms since the epoch; null before the
 *     first
 */
public record SnapshotRecord(
    SnapshotState state,
    int failures,
    @Nullable Trigger trigger,
    @Nullable String path,
    @Nullable String error,
    @Nullable Long resultAtMs) {

  private static final int LONGEST_ERROR = 2048;

  /** Nothing was tried yet. */
  public static final SnapshotRecord NONE =
      new SnapshotRecord(SnapshotState.TRIGGER_PENDING, 0, null, null, null, null);

  /** Cuts the error to the length that Apache's operator keeps. */
  public SnapshotRecord {
    error = error == null ? null : BoundedText.of(error, LONGEST_ERROR);
  }

  /** An attempt is about to be triggered. */
  public SnapshotRecord triggering(Trigger next) {
    return new SnapshotRecord(SnapshotState.IN_PROGRESS, failures, next, null, error, resultAtMs);
  }

  /** Whether the trigger may be in progress in Flink. */
  @JsonIgnore
  public boolean isInFlight() {
    return state == SnapshotState.IN_PROGRESS && trigger != null;
  }

  /** It waits for its job. */
  public SnapshotRecord pending() {
    return new SnapshotRecord(
        SnapshotState.TRIGGER_PENDING, failures, trigger, null, error, resultAtMs);
  }

  /** The attempt in flight has failed. */
  public SnapshotRecord failed(String why, long atMs) {
    return new SnapshotRecord(
        SnapshotState.TRIGGER_PENDING, failures + 1, trigger, null, why, atMs);
  }

  /** The attempt in flight has ended with its job, which is no failure of its own. */
  public SnapshotRecord interrupted(String why) {
    return new SnapshotRecord(
        SnapshotState.TRIGGER_PENDING, failures, trigger, null, why, resultAtMs);
  }

  /** It was taken. */
  public SnapshotRecord completed(@Nullable String where, long atMs) {
    return new SnapshotRecord(SnapshotState.COMPLETED, failures, trigger, where, null, atMs);
  }

  /** It is given up. */
  public SnapshotRecord givenUp(SnapshotState as, String why, long atMs) {
    return new SnapshotRecord(as, failures, trigger, null, why, atMs);
  }
}
