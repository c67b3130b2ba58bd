package dev.sluice.api.snapshot;

import java.util.EnumSet;
import java.util.Set;

/** How far a FlinkStateSnapshot has come: Apache's words, with their meaning. */
public enum SnapshotState {
  /** No savepoint or checkpoint of it is in progress; one will be triggered. */
  TRIGGER_PENDING,
  /** It is triggered, and Flink has not said how it ended. */
  IN_PROGRESS,
  /** It was taken; {@code status.path} says where it is. */
  COMPLETED,
  /** It was tried as often as {@code spec.backoffLimit} allows. */
  FAILED,
  /**
   * The job that it is of is gone, has ended, or was replaced by another one; or it was aborted.
   */
  ABANDONED;

  private static final Set<SnapshotState> FINAL = EnumSet.of(COMPLETED, FAILED, ABANDONED);

  /** Whether nothing happens any more unless it is asked for. */
  public boolean isFinal() {
    return FINAL.contains(this);
  }
}
