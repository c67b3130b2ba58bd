package dev.sluice.workflows.snapshot;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.sluice.api.common.BoundedText;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.workflows.snapshot.SnapshotActivities.Trigger;
import org.jspecify.annotations.Nullable;

/**
 * What the status of a snapshot says of it, apart from its operation.
 *
 * @param state how far it has come
 * @param failures how many attempts failed
 * @param trigger of the newest attempt; null when none was triggered
 * @param path where it is; null when it was not taken, or Flink does not tell
 * @param error why the newest attempt failed, or why it was given up; null when neither is so
 * @param endedAtMs when it was taken or given up, ms since the epoch; null while it is not
 * @param adopted whether what is at the path was found, and not proved to be of this snapshot
 */
public record SnapshotRecord(
    SnapshotState state,
    int failures,
    @Nullable Trigger trigger,
    @Nullable String path,
    @Nullable String error,
    @Nullable Long endedAtMs,
    boolean adopted) {

  private static final int LONGEST_ERROR = 2048;

  /** Cuts the error, as Apache's operator does, to what people read. */
  public SnapshotRecord {
    error = error == null ? null : BoundedText.of(error, LONGEST_ERROR);
  }

  /** Nothing was tried yet. */
  public static final SnapshotRecord NONE =
      new SnapshotRecord(SnapshotState.TRIGGER_PENDING, 0, null, null, null, null, false);

  /** An attempt is about to be triggered. */
  public SnapshotRecord triggering(Trigger next) {
    return new SnapshotRecord(SnapshotState.IN_PROGRESS, failures, next, null, error, null, false);
  }

  /** Whether something may be in progress in Flink. */
  @JsonIgnore
  public boolean isInFlight() {
    return state == SnapshotState.IN_PROGRESS && trigger != null;
  }

  /** One more attempt has failed. */
  public SnapshotRecord failed(String why) {
    return new SnapshotRecord(
        SnapshotState.TRIGGER_PENDING, failures + 1, trigger, null, why, null, false);
  }

  /** The attempt in flight is no more, which is not its own fault. */
  public SnapshotRecord interrupted(String why) {
    return new SnapshotRecord(
        SnapshotState.TRIGGER_PENDING, failures, trigger, null, why, null, false);
  }

  /** It was taken, by this snapshot or perhaps by somebody else. */
  public SnapshotRecord completed(@Nullable String where, long atMs, boolean found) {
    return new SnapshotRecord(SnapshotState.COMPLETED, failures, trigger, where, null, atMs, found);
  }

  /** It is given up. */
  public SnapshotRecord givenUp(SnapshotState as, String why, long atMs) {
    return new SnapshotRecord(as, failures, trigger, null, why, atMs, false);
  }
}
