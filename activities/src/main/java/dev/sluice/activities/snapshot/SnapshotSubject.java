package dev.sluice.activities.snapshot;

import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.kubernetes.Apply;
import dev.sluice.activities.kubernetes.ResourceType;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.common.StatusSnapshot;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.SnapshotInStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Where a snapshot stands: in a resource of its own, or in the status of what runs its job. */
sealed interface SnapshotSubject {

  /** It, or what it would be if it had a resource. */
  FlinkStateSnapshot snapshot();

  /**
   * What the status of {@link #type} says with that outcome: the workflow's fields, all of them.
   */
  Object status(FlinkStateSnapshotStatus outcome);

  /** What has that status, and the events. */
  ResourceType type();

  /** Metadata of that. */
  ObjectMeta metadata();

  /** Who writes that status. */
  String fieldManager();

  /**
   * A resource of its own.
   *
   * @param snapshot as it was read
   */
  record OfResource(FlinkStateSnapshot snapshot) implements SnapshotSubject {
    @Override
    public Object status(FlinkStateSnapshotStatus outcome) {
      return outcome;
    }

    @Override
    public ResourceType type() {
      return SnapshotStore.TYPE;
    }

    @Override
    public ObjectMeta metadata() {
      return snapshot.getMetadata();
    }

    @Override
    public String fieldManager() {
      return Apply.FIELD_MANAGER;
    }
  }

  /**
   * One without a resource.
   *
   * @param owner runs the job, as it was read
   * @param of what it is
   * @param told how the status has it, or will have it
   */
  record OfStatus(FlinkDeployment owner, SnapshotType of, StatusSnapshot told)
      implements SnapshotSubject {

    /** Another one than that of operations: each applies all of its own fields, and no others. */
    static final String FIELD_MANAGER = "sluice-snapshots";

    /**
     * The one that the lane takes now, else the newest; empty when there is none.
     *
     * @param owner as it was read
     */
    static Optional<SnapshotSubject> now(FlinkDeployment owner, SnapshotType type) {
      return all(owner, type).findFirst();
    }

    /** The one with that uid, as long as the status tells of it. */
    static Optional<SnapshotSubject> of(FlinkDeployment owner, SnapshotType type, String uid) {
      return all(owner, type)
          .filter(it -> it.snapshot().getMetadata().getUid().equals(uid))
          .findFirst();
    }

    /** The newest that was begun; empty when none was. */
    static Optional<SnapshotSubject> begun(FlinkDeployment owner, SnapshotType type) {
      return Optional.ofNullable(owner.getStatus().snapshotsOrNone().of(type))
          .map(it -> new OfStatus(owner, type, it));
    }

    private static Stream<SnapshotSubject> all(FlinkDeployment owner, SnapshotType type) {
      FlinkDeploymentStatus status = owner.getStatus();
      Stream<SnapshotSubject> wanted =
          status.snapshotsOrNone().wanted(status.snapshotTriggers(), type).stream()
              .map(it -> new OfStatus(owner, type, it));
      return Stream.concat(wanted, begun(owner, type).stream());
    }

    @Override
    public FlinkStateSnapshot snapshot() {
      return SnapshotInStatus.resource(told, of, JobKind.FLINK_DEPLOYMENT, owner.getMetadata());
    }

    @Override
    public Object status(FlinkStateSnapshotStatus outcome) {
      FlinkDeploymentStatus status = owner.getStatus();
      StatusSnapshot next = told.withStatus(SnapshotInStatus.progress(outcome));
      JobStatus job = Objects.requireNonNullElse(status.jobStatus(), JobStatus.EMPTY);
      return FlinkDeploymentStatus.EMPTY
          .withSnapshots(status.snapshotsOrNone().with(of, next))
          .withJobStatus(SnapshotInfo.of(job, of, next));
    }

    @Override
    public ResourceType type() {
      return FlinkDeploymentStore.TYPE;
    }

    @Override
    public ObjectMeta metadata() {
      return owner.getMetadata();
    }

    @Override
    public String fieldManager() {
      return FIELD_MANAGER;
    }
  }

  /**
   * A savepoint without a resource that the history has no place for: as one that is being deleted.
   *
   * @param owner ran the job, as it was read
   * @param removed with its location
   */
  record OfHistory(FlinkDeployment owner, Savepoint removed) implements SnapshotSubject {

    /** What the controller asks for; empty when it asks for the removal of none of that type. */
    static Optional<SnapshotSubject> of(FlinkDeployment owner, SnapshotType type) {
      return type == SnapshotType.SAVEPOINT
          ? owner.getStatus().savepointToRemove().map(it -> new OfHistory(owner, it))
          : Optional.empty();
    }

    @Override
    public FlinkStateSnapshot snapshot() {
      return SnapshotInStatus.ofHistory(removed, JobKind.FLINK_DEPLOYMENT, owner.getMetadata());
    }

    /** Whatever became of its files. */
    @Override
    public Object status(FlinkStateSnapshotStatus outcome) {
      FlinkDeploymentStatus status = owner.getStatus();
      JobStatus job = Objects.requireNonNullElse(status.jobStatus(), JobStatus.EMPTY);
      return FlinkDeploymentStatus.EMPTY
          .withSnapshots(status.snapshots())
          .withJobStatus(SnapshotInfo.without(job, String.valueOf(removed.location())));
    }

    @Override
    public ResourceType type() {
      return FlinkDeploymentStore.TYPE;
    }

    @Override
    public ObjectMeta metadata() {
      return owner.getMetadata();
    }

    @Override
    public String fieldManager() {
      return OfStatus.FIELD_MANAGER;
    }
  }
}
