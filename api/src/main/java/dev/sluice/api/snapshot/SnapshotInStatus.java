package dev.sluice.api.snapshot;

import dev.sluice.api.common.CheckpointType;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.common.StatusSnapshot;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot that the status of its job's resource has, as the FlinkStateSnapshot that it would be.
 * Pure.
 */
public final class SnapshotInStatus {

  private SnapshotInStatus() {}

  /**
   * The FlinkStateSnapshot. Its uid is its own: another one than that of its owner, and than that
   * of any other snapshot.
   *
   * @param job kind of the resource that runs the job
   * @param owner metadata of that resource
   */
  public static FlinkStateSnapshot resource(
      StatusSnapshot told, SnapshotType type, JobKind job, ObjectMeta owner) {
    FlinkStateSnapshot snapshot = new FlinkStateSnapshot();
    snapshot.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(owner.getNamespace())
            .withName(told.name())
            .withUid(uid(owner, String.valueOf(told.name())))
            .build());
    snapshot.setSpec(
        new FlinkStateSnapshotSpec(
            new JobReference(job, owner.getName()),
            type == SnapshotType.SAVEPOINT ? savepoint(told.formatType()) : null,
            type == SnapshotType.CHECKPOINT ? checkpoint(told.formatType()) : null,
            null));
    snapshot.setStatus(status(told));
    return snapshot;
  }

  private static String uid(ObjectMeta owner, String what) {
    String all = owner.getUid() + " " + what;
    return UUID.nameUUIDFromBytes(all.getBytes(StandardCharsets.UTF_8)).toString();
  }

  /** What became of it so far. */
  public static FlinkStateSnapshotStatus status(StatusSnapshot told) {
    StatusSnapshot.Progress progress = told.status();
    return progress == null
        ? FlinkStateSnapshotStatus.EMPTY
        : FlinkStateSnapshotStatus.EMPTY
            .withState(state(progress.state()))
            .withTriggerId(progress.triggerId())
            .withTriggerTimestamp(progress.triggerTimestamp())
            .withResultTimestamp(progress.resultTimestamp())
            .withPath(progress.path())
            .withError(progress.error())
            .withFailures(progress.failures())
            .withJobId(progress.jobId())
            .withOperation(progress.operation());
  }

  private static @Nullable SnapshotState state(@Nullable String name) {
    return Arrays.stream(SnapshotState.values())
        .filter(it -> it.name().equals(name))
        .findFirst()
        .orElse(null);
  }

  /** The part of such a status that a workflow writes. */
  public static StatusSnapshot.Progress progress(FlinkStateSnapshotStatus status) {
    SnapshotState state = status.state();
    return new StatusSnapshot.Progress(
        state == null ? null : state.name(),
        status.triggerId(),
        status.triggerTimestamp(),
        status.resultTimestamp(),
        status.path(),
        status.error(),
        status.failures(),
        status.jobId(),
        status.operation());
  }

  private static SavepointSpec savepoint(@Nullable String format) {
    boolean isNative = SavepointFormatType.NATIVE.name().equals(format);
    return new SavepointSpec(
        null, isNative ? SavepointFormatType.NATIVE : SavepointFormatType.CANONICAL, false, null);
  }

  private static CheckpointSpec checkpoint(@Nullable String type) {
    return new CheckpointSpec(type == null ? null : CheckpointType.parse(type).orElse(null));
  }
}
