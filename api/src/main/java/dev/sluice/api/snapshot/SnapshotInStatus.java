package dev.sluice.api.snapshot;

import dev.sluice.api.common.CheckpointType;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.common.StatusSnapshot;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot that the status of its job's resource has, as the FlinkStateSnapshot that it would be.
 * Pure.
 */
public final class SnapshotInStatus {

  private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

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
            type == SnapshotType.SAVEPOINT
                ? new SavepointSpec(null, RequestedSnapshot.format(told.formatType()), false, null)
                : null,
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
    return told.status() == null
        ? FlinkStateSnapshotStatus.EMPTY
        : SERIALIZATION.convertValue(told.status(), FlinkStateSnapshotStatus.class);
  }

  /** The part of such a status that a workflow writes. */
  public static StatusSnapshot.Progress progress(FlinkStateSnapshotStatus status) {
    return SERIALIZATION.convertValue(status, StatusSnapshot.Progress.class);
  }

  private static CheckpointSpec checkpoint(@Nullable String type) {
    return new CheckpointSpec(type == null ? null : CheckpointType.parse(type).orElse(null));
  }
}
