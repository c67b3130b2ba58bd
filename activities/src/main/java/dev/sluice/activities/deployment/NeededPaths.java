package dev.sluice.activities.deployment;

import dev.sluice.activities.job.RestoredPath;
import dev.sluice.activities.resource.Needs;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SavepointInfo;
import dev.sluice.api.common.SnapshotReference;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.SavepointSpec;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where state is that somebody may still need. Pure.
 *
 * @param names of the FlinkStateSnapshots that jobs may be started from, each with its namespace
 * @param paths that jobs may be started from
 * @param unreadable specs that were frozen and cannot be read: whatever they contain may be needed
 */
public record NeededPaths(Set<String> names, Set<String> paths, Set<String> unreadable) {

  /** Copies all. */
  public NeededPaths {
    names = Set.copyOf(names);
    paths = Set.copyOf(paths);
    unreadable = Set.copyOf(unreadable);
  }

  /** The same of a resource of another kind. */
  public static NeededPaths of(Needs needs) {
    return new NeededPaths(needs.snapshots(), needs.paths(), needs.unreadable());
  }

  /** What these resources may be started from; each of their specs is read once. */
  public static NeededPaths of(Collection<FlinkDeployment> resources) {
    Set<String> names = new HashSet<>();
    Set<String> paths = new HashSet<>();
    Set<String> unreadable = new HashSet<>();
    for (FlinkDeployment resource : resources) {
      List<JobSpec> jobs =
          specs(resource, unreadable::add).flatMap(spec -> Stream.ofNullable(spec.job())).toList();
      for (JobSpec job : jobs) {
        SnapshotReference reference = job.flinkStateSnapshotReference();
        if (reference != null && reference.name() != null) {
          String own = resource.getMetadata().getNamespace();
          names.add(name(Objects.requireNonNullElse(reference.namespace(), own), reference.name()));
        }
        ofNullable(job.startPath()).ifPresent(paths::add);
      }
      kept(resource).forEach(paths::add);
    }
    return new NeededPaths(names, paths, unreadable);
  }

  private static String name(String namespace, String name) {
    return namespace + "/" + name;
  }

  /** Whether a job may be started from it. */
  public boolean contain(FlinkStateSnapshot snapshot) {
    String path = snapshot.getStatus().path();
    String name = snapshot.getMetadata().getName();
    return names.contains(name(snapshot.getMetadata().getNamespace(), name))
        || unreadable.stream().anyMatch(text -> text.contains(name))
        || (path != null && isNeeded(snapshot, path));
  }

  private boolean isNeeded(FlinkStateSnapshot snapshot, String path) {
    String name = snapshot.getSpec().savepoint() == null ? path : RestoredPath.nameOf(path);
    return paths.stream().anyMatch(needed -> isSame(snapshot, path, needed))
        || unreadable.stream().anyMatch(text -> text.contains(name));
  }

  /** Whether another snapshot is of the same files. */
  public static boolean isShared(FlinkStateSnapshot snapshot, Collection<FlinkStateSnapshot> all) {
    String path = snapshot.getStatus().path();
    return path != null && all.stream().anyMatch(it -> isOfSame(snapshot, path, it));
  }

  /**
   * Whether another snapshot is of the same files.
   *
   * @param path of the snapshot, which its status need not tell yet
   */
  public static boolean isOfSame(FlinkStateSnapshot snapshot, String path, FlinkStateSnapshot it) {
    return !Objects.equals(it.getMetadata().getUid(), snapshot.getMetadata().getUid())
        && pathsOf(it).anyMatch(other -> isSame(snapshot, path, other));
  }

  /** Where its files are, by its status and by its spec, which may come first. */
  public static Stream<String> pathsOf(FlinkStateSnapshot snapshot) {
    return Stream.of(ofNullable(snapshot.getStatus().path()), ofNullable(existing(snapshot)))
        .flatMap(Optional::stream);
  }

  /** Checkpoints of all jobs have the same few names, and their files do not go with a resource. */
  private static boolean isSame(FlinkStateSnapshot snapshot, String path, String other) {
    return snapshot.getSpec().savepoint() == null
        ? path.equals(other.trim())
        : RestoredPath.haveSameName(path, other);
  }

  private static @Nullable String existing(FlinkStateSnapshot snapshot) {
    SavepointSpec savepoint = snapshot.getSpec().savepoint();
    return savepoint == null || !savepoint.exists() ? null : savepoint.pathOrNull();
  }

  private static Stream<String> kept(FlinkDeployment resource) {
    FlinkDeploymentStatus status = resource.getStatus();
    RecordedState recorded = status.recordedState();
    RecordedState.Left left = recorded == null ? null : recorded.leftByStable();
    Map<String, String> annotations = resource.getMetadata().getAnnotations();
    return Stream.of(
            ofNullable(
                status.jobStatus() == null ? null : status.jobStatus().upgradeSavepointPath()),
            ofNullable(recorded == null ? null : recorded.path()),
            ofNullable(left == null ? null : left.path()),
            ofNullable(annotations == null ? null : annotations.get(Annotations.RESTORE_FROM)),
            leftByApache(status))
        .flatMap(Optional::stream);
  }

  /** Up to its release 1.9 it records nowhere else what a job that it suspended goes on from. */
  private static Optional<String> leftByApache(FlinkDeploymentStatus status) {
    JobStatus job = status.jobStatus();
    SavepointInfo info = job == null ? null : job.savepointInfo();
    Savepoint last = info == null ? null : info.lastSavepoint();
    return last == null
            || !(isSuspended(status.lastReconciled()) || isSuspended(status.lastStable()))
        ? Optional.empty()
        : ofNullable(last.location());
  }

  private static boolean isSuspended(@Nullable FrozenSpec frozen) {
    JobSpec job = frozen == null || frozen.defaults() != null ? null : frozen.spec().job();
    return job != null && job.state() == DesiredJobState.SUSPENDED;
  }

  private static Stream<FlinkDeploymentSpec> specs(
      FlinkDeployment resource, Consumer<String> unreadable) {
    ReconciliationStatus frozen = resource.getStatus().reconciliationStatus();
    return frozen == null
        ? Stream.of(resource.getSpec())
        : Stream.concat(
            Stream.of(resource.getSpec()),
            Stream.of(ofNullable(frozen.lastReconciledSpec()), ofNullable(frozen.lastStableSpec()))
                .flatMap(Optional::stream)
                .flatMap(text -> read(text, unreadable)));
  }

  private static Stream<FlinkDeploymentSpec> read(String frozen, Consumer<String> unreadable) {
    try {
      return Stream.of(FrozenSpec.parse(frozen).spec());
    } catch (IllegalArgumentException wrong) {
      unreadable.accept(frozen);
      return Stream.empty();
    }
  }

  private static Optional<String> ofNullable(@Nullable String path) {
    return Optional.ofNullable(path);
  }
}
