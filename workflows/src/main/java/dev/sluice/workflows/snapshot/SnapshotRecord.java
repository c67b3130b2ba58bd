package dev.sluice.workflows.snapshot;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.sluice.api.common.BoundedText;
import dev.sluice.api.common.EarlierTrigger;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.workflows.snapshot.SnapshotActivities.Trigger;
import java.util.ArrayList;
import java.util.List;
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
 * @param inDoubt whether the newest attempt is given up, and may have been completed all the same
 * @param earlier the attempts before it that may have been completed, or be in progress, oldest
 *     first: the next one waits for them, and a deletion disposes of what they took
 */
public record SnapshotRecord(
    SnapshotState state,
    int failures,
    @Nullable Trigger trigger,
    @Nullable String path,
    @Nullable String error,
    @Nullable Long endedAtMs,
    boolean inDoubt,
    List<Trigger> earlier) {

  private static final int LONGEST_ERROR = 2048;

  /** Cuts the error, as Apache's operator does, to what people read. */
  public SnapshotRecord {
    error = error == null ? null : BoundedText.of(error, LONGEST_ERROR);
    earlier = earlier == null ? List.of() : List.copyOf(earlier);
  }

  /** Nothing was tried yet. */
  public static final SnapshotRecord NONE =
      new SnapshotRecord(
          SnapshotState.TRIGGER_PENDING, 0, null, null, null, null, false, List.of());

  /** An attempt is about to be triggered. */
  public SnapshotRecord triggering(Trigger next) {
    return new SnapshotRecord(
        SnapshotState.IN_PROGRESS, failures, next, null, error, null, false, earlierThan(next));
  }

  private List<Trigger> earlierThan(Trigger next) {
    if (trigger == null || trigger.id().equals(next.id()) || !mayHaveLeftFiles()) {
      return earlier;
    }
    List<Trigger> all = new ArrayList<>(earlier);
    all.add(trigger);
    return all.subList(Math.max(0, all.size() - EarlierTrigger.MOST), all.size());
  }

  /** Whether something may be in progress in Flink. */
  @JsonIgnore
  public boolean isInFlight() {
    return state == SnapshotState.IN_PROGRESS && trigger != null;
  }

  /** Whether something of the newest attempt may be in Flink, or in the storage. */
  @JsonIgnore
  public boolean mayHaveLeftFiles() {
    return isInFlight() || (inDoubt && trigger != null);
  }

  /**
   * One more attempt has failed.
   *
   * @param doubt whether it may have been completed all the same
   */
  public SnapshotRecord failed(String why, boolean doubt) {
    return new SnapshotRecord(
        SnapshotState.TRIGGER_PENDING, failures + 1, trigger, null, why, null, doubt, earlier);
  }

  /**
   * The attempt in flight is no more, which is not its own fault.
   *
   * @param doubt whether it may have been completed all the same
   */
  public SnapshotRecord interrupted(String why, boolean doubt) {
    return new SnapshotRecord(
        SnapshotState.TRIGGER_PENDING, failures, trigger, null, why, null, doubt, earlier);
  }

  /** It waits to be tried again. */
  public SnapshotRecord pending() {
    return new SnapshotRecord(
        SnapshotState.TRIGGER_PENDING, failures, trigger, null, error, null, inDoubt, earlier);
  }

  /** It was taken. */
  public SnapshotRecord completed(@Nullable String where, long atMs) {
    return new SnapshotRecord(
        SnapshotState.COMPLETED, failures, trigger, where, null, atMs, false, earlier);
  }

  /**
   * It is given up.
   *
   * @param doubt whether the newest attempt may have been completed all the same
   */
  public SnapshotRecord givenUp(SnapshotState as, String why, long atMs, boolean doubt) {
    return new SnapshotRecord(as, failures, trigger, null, why, atMs, doubt, earlier);
  }
}
