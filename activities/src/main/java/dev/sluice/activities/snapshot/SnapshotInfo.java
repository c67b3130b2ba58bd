package dev.sluice.activities.snapshot;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.sluice.api.common.Checkpoint;
import dev.sluice.api.common.CheckpointInfo;
import dev.sluice.api.common.CheckpointType;
import dev.sluice.api.common.JobResourceStatus;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SavepointInfo;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.common.StatusSnapshot;
import dev.sluice.api.common.StatusSnapshots;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.SnapshotInStatus;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.api.snapshot.TriggerType;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What snapshot runs write into the status of what runs a job, of whatever kind: always all of it,
 * because server-side apply takes away what a manager leaves out. {@code savepointInfo} and {@code
 * checkpointInfo} are the fields that tools for Apache's operator read. Pure.
 *
 * @param snapshots what is taken without a FlinkStateSnapshot; null for nothing
 * @param jobStatus with {@code savepointInfo} and {@code checkpointInfo} alone
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record SnapshotInfo(@Nullable StatusSnapshots snapshots, JobStatus jobStatus) {

  private static final SavepointInfo NO_SAVEPOINT =
      new SavepointInfo(null, null, null, null, null, List.of(), 0);
  private static final CheckpointInfo NO_CHECKPOINT =
      new CheckpointInfo(null, null, null, null, null, 0);
  private static final String UNKNOWN = "UNKNOWN";

  /** As they are. */
  static SnapshotInfo of(JobResourceStatus status) {
    JobStatus job = Objects.requireNonNullElse(status.jobStatus(), JobStatus.EMPTY);
    return new SnapshotInfo(
        status.snapshots(),
        JobStatus.EMPTY
            .withSavepointInfo(job.savepointInfo())
            .withCheckpointInfo(job.checkpointInfo()));
  }

  /** With it as the newest one of its type. */
  SnapshotInfo with(SnapshotType type, StatusSnapshot now) {
    StatusSnapshots all =
        Objects.requireNonNullElse(snapshots, StatusSnapshots.NONE).with(type, now);
    return new SnapshotInfo(
        all,
        type == SnapshotType.SAVEPOINT
            ? jobStatus.withSavepointInfo(with(savepoints(), now))
            : jobStatus.withCheckpointInfo(
                with(Objects.requireNonNullElse(jobStatus.checkpointInfo(), NO_CHECKPOINT), now)));
  }

  /** With a savepoint that an operation stopped the job with. */
  SnapshotInfo withTaken(Savepoint taken) {
    SavepointInfo info = savepoints();
    Savepoint last = info.lastSavepoint();
    boolean newest = last == null || last.timeStamp() <= taken.timeStamp() || isSame(last, taken);
    return with(info, newest ? taken : last, with(info.savepointHistory(), taken));
  }

  /** Whose history has forgotten what was at that location. */
  SnapshotInfo without(String location) {
    SavepointInfo info = savepoints();
    return with(
        info,
        info.lastSavepoint(),
        info.savepointHistory().stream().filter(it -> !location.equals(it.location())).toList());
  }

  private SavepointInfo savepoints() {
    return Objects.requireNonNullElse(jobStatus.savepointInfo(), NO_SAVEPOINT);
  }

  private SnapshotInfo with(SavepointInfo info, @Nullable Savepoint last, List<Savepoint> history) {
    return new SnapshotInfo(
        snapshots,
        jobStatus.withSavepointInfo(
            new SavepointInfo(
                last,
                info.triggerId(),
                info.triggerTimestamp(),
                info.triggerType(),
                info.formatType(),
                history,
                info.lastPeriodicSavepointTimestamp())));
  }

  private static SavepointInfo with(SavepointInfo before, StatusSnapshot now) {
    FlinkStateSnapshotStatus status = SnapshotInStatus.status(now);
    long at = status.triggeredAt().toEpochMilli();
    boolean taken = status.state() == SnapshotState.COMPLETED;
    Savepoint last =
        taken
            ? new Savepoint(at, status.path(), trigger(now), now.formatType(), now.triggerNonce())
            : before.lastSavepoint();
    boolean pending = status.state() == SnapshotState.IN_PROGRESS;
    return new SavepointInfo(
        last,
        pending ? status.triggerId() : null,
        pending ? at : null,
        pending ? trigger(now) : null,
        pending ? now.formatType() : null,
        taken && last != null ? with(before.savepointHistory(), last) : before.savepointHistory(),
        taken && isPeriodic(now) ? at : before.lastPeriodicSavepointTimestamp());
  }

  /** What operations took is known later than what runs took meanwhile. */
  private static List<Savepoint> with(List<Savepoint> history, Savepoint taken) {
    if (taken.location() == null || history.stream().anyMatch(it -> isSame(it, taken))) {
      return history;
    }
    return Stream.concat(history.stream(), Stream.of(taken))
        .sorted(Comparator.comparingLong(Savepoint::timeStamp))
        .skip(Math.max(0, history.size() + 1 - SavepointInfo.LONGEST_HISTORY))
        .toList();
  }

  private static boolean isSame(Savepoint one, Savepoint other) {
    return Objects.equals(one.location(), other.location());
  }

  private static CheckpointInfo with(CheckpointInfo before, StatusSnapshot now) {
    FlinkStateSnapshotStatus status = SnapshotInStatus.status(now);
    long at = status.triggeredAt().toEpochMilli();
    // Apache's operator has no word for a checkpoint as the job is configured
    String format =
        CheckpointType.CONFIGURED.name().equals(now.formatType()) ? UNKNOWN : now.formatType();
    boolean taken = status.state() == SnapshotState.COMPLETED;
    boolean pending = status.state() == SnapshotState.IN_PROGRESS;
    return new CheckpointInfo(
        taken
            ? new Checkpoint(at, trigger(now), format, now.triggerNonce())
            : before.lastCheckpoint(),
        pending ? status.triggerId() : null,
        pending ? at : null,
        pending ? trigger(now) : null,
        pending ? format : null,
        taken && isPeriodic(now) ? at : before.lastPeriodicCheckpointTimestamp());
  }

  private static String trigger(StatusSnapshot now) {
    return Objects.requireNonNullElse(now.triggerType(), UNKNOWN);
  }

  private static boolean isPeriodic(StatusSnapshot now) {
    return TriggerType.PERIODIC.name().equals(now.triggerType());
  }
}
