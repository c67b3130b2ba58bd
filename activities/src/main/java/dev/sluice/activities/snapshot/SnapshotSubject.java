package dev.sluice.activities.snapshot;

import dev.sluice.activities.kubernetes.Apply;
import dev.sluice.activities.kubernetes.ResourceType;
import dev.sluice.activities.resource.JobResource;
import dev.sluice.api.common.CheckpointInfo;
import dev.sluice.api.common.EarlierTrigger;
import dev.sluice.api.common.JobResourceStatus;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SavepointInfo;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.common.StatusSnapshot;
import dev.sluice.api.common.StatusSnapshots;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.SnapshotInStatus;
import dev.sluice.api.snapshot.SnapshotState;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where a snapshot stands: in a resource of its own, or in the status of what runs its job. */
sealed interface SnapshotSubject {

  /** It, or what it would be if it had a resource. */
  FlinkStateSnapshot snapshot();

  /**
   * What the status of {@link #type} says with that outcome: the workflow's fields, all of them.
   */
  Object status(FlinkStateSnapshotStatus outcome);

  /**
   * Trigger ids of others, before it on the same lane, that were given up and may be in progress.
   */
  default List<String> earlier() {
    return List.of();
  }

  /** Whether the status tells of it, and not of an earlier one on the same lane. */
  default boolean isBegun() {
    return true;
  }

  /** What tools for Apache's operator read of it; empty when it has a resource. */
  default Optional<Class<?>> info() {
    return Optional.empty();
  }

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

  /** Stands in the status of what runs its job. */
  sealed interface InOwner extends SnapshotSubject {

    /** Another one than that of operations: each applies all of its own fields, and no others. */
    String FIELD_MANAGER = "sluice-snapshots";

    /** What runs, or ran, the job, as it was read. */
    JobResource owner();

    /** What a snapshot calls its kind. */
    default JobKind jobKind() {
      return JobKind.of(type().kind());
    }

    @Override
    default ResourceType type() {
      return owner().type();
    }

    @Override
    default ObjectMeta metadata() {
      return owner().metadata();
    }

    @Override
    default String fieldManager() {
      return FIELD_MANAGER;
    }
  }

  /**
   * One without a resource.
   *
   * @param owner runs the job, as it was read
   * @param of what it is
   * @param told how the status has it, or will have it
   */
  record OfStatus(JobResource owner, SnapshotType of, StatusSnapshot told) implements InOwner {

    /**
     * The one that the lane takes now, else the newest; empty when there is none.
     *
     * @param owner as it was read
     */
    static Optional<SnapshotSubject> now(JobResource owner, SnapshotType type) {
      return all(owner, type).findFirst();
    }

    /** The one with that uid, as long as the status tells of it. */
    static Optional<SnapshotSubject> of(JobResource owner, SnapshotType type, String uid) {
      return all(owner, type)
          .filter(it -> it.snapshot().getMetadata().getUid().equals(uid))
          .findFirst();
    }

    /** The newest that was begun; empty when none was. */
    static Optional<SnapshotSubject> begun(JobResource owner, SnapshotType type) {
      return Optional.ofNullable(owner.status().snapshotsOrNone().of(type))
          .map(it -> new OfStatus(owner, type, it));
    }

    private static Stream<SnapshotSubject> all(JobResource owner, SnapshotType type) {
      JobResourceStatus status = owner.status();
      Stream<SnapshotSubject> wanted =
          status.wantedSnapshot(status.snapshotTriggers(), type).stream()
              .map(it -> new OfStatus(owner, type, it));
      return Stream.concat(wanted, begun(owner, type).stream());
    }

    @Override
    public FlinkStateSnapshot snapshot() {
      return SnapshotInStatus.resource(told, of, jobKind(), owner.metadata());
    }

    /** What the status tells of, also of one that was given up and may be completed. */
    static Stream<FlinkStateSnapshot> known(JobResource owner, SnapshotType type) {
      StatusSnapshot begun = owner.status().snapshotsOrNone().of(type);
      Stream<StatusSnapshot> givenUp =
          begun == null ? Stream.of() : begun.earlier().stream().map(OfStatus::inDoubt);
      return Stream.concat(Stream.ofNullable(begun), givenUp)
          .map(it -> new OfStatus(owner, type, it).snapshot());
    }

    private static StatusSnapshot inDoubt(EarlierTrigger earlier) {
      FlinkStateSnapshotStatus status =
          FlinkStateSnapshotStatus.EMPTY
              .withState(SnapshotState.ABANDONED)
              .withTriggerId(earlier.triggerId())
              .withJobId(earlier.jobId())
              .withInDoubt(true);
      return new StatusSnapshot(
          earlier.name(), null, null, null, null, null, SnapshotInStatus.progress(status));
    }

    @Override
    public Optional<Class<?>> info() {
      return Optional.of(of == SnapshotType.SAVEPOINT ? SavepointInfo.class : CheckpointInfo.class);
    }

    @Override
    public boolean isBegun() {
      StatusSnapshot begun = owner.status().snapshotsOrNone().of(of);
      return begun != null && Objects.equals(begun.name(), told.name());
    }

    @Override
    public List<String> earlier() {
      return told.earlier().stream().flatMap(it -> Stream.ofNullable(it.triggerId())).toList();
    }

    @Override
    public Object status(FlinkStateSnapshotStatus outcome) {
      JobResourceStatus status = owner.status();
      StatusSnapshot next = told.withStatus(SnapshotInStatus.progress(outcome));
      JobStatus job = Objects.requireNonNullElse(status.jobStatus(), JobStatus.EMPTY);
      return new SnapshotFields(
          status.snapshotsOrNone().with(of, next), SnapshotInfo.of(job, of, next));
    }
  }

  /**
   * A savepoint without a resource that the history has no place for: as one that is being deleted.
   *
   * @param owner ran the job, as it was read
   * @param removed with its location
   * @param keptAt when its files could not be deleted, so that the history keeps it; null when they
   *     are gone, or left for good
   */
  record OfHistory(JobResource owner, Savepoint removed, @Nullable String keptAt)
      implements InOwner {

    /** What the controller asks for; empty when it asks for the removal of none of that type. */
    static Optional<SnapshotSubject> of(JobResource owner, SnapshotType type) {
      return type == SnapshotType.SAVEPOINT
          ? owner.status().savepointToRemove().map(it -> new OfHistory(owner, it, null))
          : Optional.empty();
    }

    @Override
    public FlinkStateSnapshot snapshot() {
      return SnapshotInStatus.ofHistory(removed, jobKind(), owner.metadata());
    }

    @Override
    public Optional<Class<?>> info() {
      return Optional.of(SavepointInfo.class);
    }

    /** The history forgets it, or remembers that it could not be removed. */
    @Override
    public Object status(FlinkStateSnapshotStatus outcome) {
      JobResourceStatus status = owner.status();
      JobStatus job = Objects.requireNonNullElse(status.jobStatus(), JobStatus.EMPTY);
      String location = String.valueOf(removed.location());
      StatusSnapshots snapshots = status.snapshotsOrNone();
      return keptAt == null
          ? new SnapshotFields(snapshots.withRemoved(location), SnapshotInfo.without(job, location))
          : new SnapshotFields(
              snapshots.withFailedRemoval(location, status.savepointHistory(), keptAt),
              SnapshotInfo.unchanged(job));
    }
  }
}
