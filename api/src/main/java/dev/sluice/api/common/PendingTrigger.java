package dev.sluice.api.common;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What {@code savepointInfo} or {@code checkpointInfo} says is in progress. Pure.
 *
 * @param triggerId Flink's, by which it is asked for
 * @param atMs when it was triggered, ms since 1970; 0 when that is not known
 * @param triggerType MANUAL, PERIODIC, UPGRADE or UNKNOWN
 * @param formatType as Apache's operator writes it; null when it does not say
 */
public record PendingTrigger(
    String triggerId, long atMs, String triggerType, @Nullable String formatType) {

  private static final String IN_PROGRESS = "IN_PROGRESS";
  private static final String MANUAL = "MANUAL";

  /** Null when nothing is. */
  public static @Nullable PendingTrigger of(JobStatus job, SnapshotType type) {
    SavepointInfo savepoints = job.savepointInfo();
    CheckpointInfo checkpoints = job.checkpointInfo();
    if (type == SnapshotType.SAVEPOINT) {
      return savepoints == null
          ? null
          : of(
              savepoints.triggerId(),
              savepoints.triggerTimestamp(),
              savepoints.triggerType(),
              savepoints.formatType());
    }
    return checkpoints == null
        ? null
        : of(
            checkpoints.triggerId(),
            checkpoints.triggerTimestamp(),
            checkpoints.triggerType(),
            checkpoints.formatType());
  }

  private static @Nullable PendingTrigger of(
      @Nullable String id, @Nullable Long atMs, @Nullable String by, @Nullable String format) {
    return id == null || id.isBlank()
        ? null
        : new PendingTrigger(
            id,
            Objects.requireNonNullElse(atMs, 0L),
            Objects.requireNonNullElse(by, "UNKNOWN"),
            format);
  }

  /** Whether a nonce asked for it. */
  public boolean isManual() {
    return MANUAL.equals(triggerType);
  }

  /**
   * As one that a lane takes up: Flink is asked for the trigger, of whatever job runs.
   *
   * @param before what the lane took before; null for nothing
   */
  StatusSnapshot taken(SnapshotType type, @Nullable StatusSnapshot before) {
    return new StatusSnapshot(
        type.word() + "-" + triggerId,
        triggerType,
        formatType,
        null,
        before == null ? null : before.newestManual(),
        before == null ? null : before.newestPeriodic(),
        new StatusSnapshot.Progress(
            IN_PROGRESS,
            triggerId,
            Instant.ofEpochMilli(atMs).toString(),
            null,
            null,
            null,
            0,
            null,
            null));
  }
}
