package dev.sluice.activities.snapshot;

import dev.sluice.api.common.Checkpoint;
import dev.sluice.api.common.CheckpointInfo;
import dev.sluice.api.common.CheckpointType;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SavepointInfo;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.common.StatusSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.SnapshotInStatus;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.api.snapshot.TriggerType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot without a FlinkStateSnapshot in the fields that tools for Apache's operator read:
 * {@code savepointInfo} and {@code checkpointInfo}. Pure.
 */
final class SnapshotInfo {

  private static final SavepointInfo NO_SAVEPOINT =
      new SavepointInfo(null, null, null, null, null, List.of(), 0);
  private static final CheckpointInfo NO_CHECKPOINT =
      new CheckpointInfo(null, null, null, null, null, 0);
  private static final String UNKNOWN = "UNKNOWN";

  private SnapshotInfo() {}

  /** Both fields with it, and no other. */
  static JobStatus of(JobStatus before, SnapshotType type, StatusSnapshot now) {
    SavepointInfo savepoints = before.savepointInfo();
    CheckpointInfo checkpoints = before.checkpointInfo();
    return type == SnapshotType.SAVEPOINT
        ? unchanged(before)
            .withSavepointInfo(of(Objects.requireNonNullElse(savepoints, NO_SAVEPOINT), now))
        : unchanged(before)
            .withCheckpointInfo(of(Objects.requireNonNullElse(checkpoints, NO_CHECKPOINT), now));
  }

  /**
   * With savepoints that operations stopped the job with; both fields, and no other.
   *
   * @param taken each with its location
   */
  static JobStatus withTaken(JobStatus before, List<Savepoint> taken) {
    SavepointInfo info = Objects.requireNonNullElse(before.savepointInfo(), NO_SAVEPOINT);
    Savepoint last = info.lastSavepoint();
    List<Savepoint> history = info.savepointHistory();
    for (Savepoint savepoint : taken) {
      history = with(history, savepoint, placeByTime(history, savepoint));
      last =
          last == null || last.timeStamp() <= savepoint.timeStamp() || isSame(last, savepoint)
              ? savepoint
              : last;
    }
    return with(before, info, last, history);
  }

  /** Without what was at that location; both fields, and no other. */
  static JobStatus without(JobStatus before, String location) {
    SavepointInfo info = Objects.requireNonNullElse(before.savepointInfo(), NO_SAVEPOINT);
    return with(
        before,
        info,
        info.lastSavepoint(),
        info.savepointHistory().stream().filter(it -> !location.equals(it.location())).toList());
  }

  /** As they are; both fields, and no other. */
  static JobStatus unchanged(JobStatus before) {
    return JobStatus.EMPTY
        .withSavepointInfo(before.savepointInfo())
        .withCheckpointInfo(before.checkpointInfo());
  }

  private static JobStatus with(
      JobStatus before, SavepointInfo info, @Nullable Savepoint last, List<Savepoint> history) {
    return unchanged(before)
        .withSavepointInfo(
            new SavepointInfo(
                last,
                info.triggerId(),
                info.triggerTimestamp(),
                info.triggerType(),
                info.formatType(),
                history,
                info.lastPeriodicSavepointTimestamp()));
  }

  private static SavepointInfo of(SavepointInfo before, StatusSnapshot now) {
    FlinkStateSnapshotStatus status = SnapshotInStatus.status(now);
    Savepoint last = before.lastSavepoint();
    List<Savepoint> history = before.savepointHistory();
    long periodic = before.lastPeriodicSavepointTimestamp();
    if (status.state() == SnapshotState.COMPLETED) {
      last =
          new Savepoint(
              triggeredAt(status),
              status.path(),
              trigger(now),
              now.formatType(),
              now.triggerNonce());
      history = with(history, last, history.size());
      periodic = isPeriodic(now) ? last.timeStamp() : periodic;
    }
    return status.state() == SnapshotState.IN_PROGRESS
        ? new SavepointInfo(
            last,
            status.triggerId(),
            triggeredAt(status),
            trigger(now),
            now.formatType(),
            history,
            periodic)
        : new SavepointInfo(last, null, null, null, null, history, periodic);
  }

  private static List<Savepoint> with(List<Savepoint> history, Savepoint taken, int place) {
    if (taken.location() == null || history.stream().anyMatch(it -> isSame(it, taken))) {
      return history;
    }
    List<Savepoint> longer = new ArrayList<>(history);
    longer.add(place, taken);
    return longer.subList(
        Math.max(0, longer.size() - SavepointInfo.LONGEST_HISTORY), longer.size());
  }

  /** What operations took is known later than what runs took meanwhile. */
  private static int placeByTime(List<Savepoint> history, Savepoint taken) {
    int place = history.size();
    while (place > 0 && history.get(place - 1).timeStamp() > taken.timeStamp()) {
      place--;
    }
    return place;
  }

  private static boolean isSame(Savepoint one, Savepoint other) {
    return Objects.equals(one.location(), other.location());
  }

  private static CheckpointInfo of(CheckpointInfo before, StatusSnapshot now) {
    FlinkStateSnapshotStatus status = SnapshotInStatus.status(now);
    Checkpoint last = before.lastCheckpoint();
    long periodic = before.lastPeriodicCheckpointTimestamp();
    if (status.state() == SnapshotState.COMPLETED) {
      last = new Checkpoint(triggeredAt(status), trigger(now), format(now), now.triggerNonce());
      periodic = isPeriodic(now) ? last.timeStamp() : periodic;
    }
    return status.state() == SnapshotState.IN_PROGRESS
        ? new CheckpointInfo(
            last, status.triggerId(), triggeredAt(status), trigger(now), format(now), periodic)
        : new CheckpointInfo(last, null, null, null, null, periodic);
  }

  private static long triggeredAt(FlinkStateSnapshotStatus status) {
    Long ms = SnapshotStatus.millis(status.triggerTimestamp());
    return ms == null ? 0 : ms;
  }

  private static String trigger(StatusSnapshot now) {
    return Objects.requireNonNullElse(now.triggerType(), UNKNOWN);
  }

  private static boolean isPeriodic(StatusSnapshot now) {
    return TriggerType.PERIODIC.name().equals(now.triggerType());
  }

  /** Apache's operator has no word for a checkpoint as the job is configured. */
  private static @Nullable String format(StatusSnapshot now) {
    return CheckpointType.CONFIGURED.name().equals(now.formatType()) ? UNKNOWN : now.formatType();
  }
}
