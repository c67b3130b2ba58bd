package dev.sluice.activities.deployment;

import dev.sluice.activities.job.RestoredPath;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.RecordedState;
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
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where state is that somebody may still need. Pure.
 *
 * @param names of the FlinkStateSnapshots that jobs may be started from, each with its namespace
 * @param paths that jobs may be started from
 */
public record NeededPaths(Set<String> names, Set<String> paths) {

  /** Copies both. */
  public NeededPaths {
    names = Set.copyOf(names);
    paths = Set.copyOf(paths);
  }

  /** What these resources may be started from; each of their specs is read once. */
  public static NeededPaths of(Collection<FlinkDeployment> resources) {
    Set<String> names = new HashSet<>();
    Set<String> paths = new HashSet<>();
    for (FlinkDeployment resource : resources) {
      List<JobSpec> jobs = specs(resource).flatMap(spec -> Stream.ofNullable(spec.job())).toList();
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
    return new NeededPaths(names, paths);
  }

  private static String name(String namespace, String name) {
    return namespace + "/" + name;
  }

  /** Whether a job may be started from it. */
  public boolean contain(FlinkStateSnapshot snapshot) {
    String path = snapshot.getStatus().path();
    return names.contains(
            name(snapshot.getMetadata().getNamespace(), snapshot.getMetadata().getName()))
        || (path != null && paths.stream().anyMatch(needed -> isSame(snapshot, path, needed)));
  }

  /**
   * Whether a job may be started from a savepoint.
   *
   * @param namespace of the FlinkStateSnapshot that the savepoint belongs to
   * @param name of it
   * @param path of the savepoint
   */
  boolean contain(String namespace, String name, String path) {
    return names.contains(name(namespace, name))
        || paths.stream().anyMatch(needed -> RestoredPath.haveSameName(path, needed));
  }

  /** Whether another snapshot is of the same files. */
  public static boolean isShared(FlinkStateSnapshot snapshot, Collection<FlinkStateSnapshot> all) {
    String path = snapshot.getStatus().path();
    return path != null
        && all.stream()
            .filter(
                it -> !Objects.equals(it.getMetadata().getUid(), snapshot.getMetadata().getUid()))
            .flatMap(it -> Stream.of(ofNullable(it.getStatus().path()), ofNullable(existing(it))))
            .flatMap(Optional::stream)
            .anyMatch(other -> isSame(snapshot, path, other));
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
            ofNullable(annotations == null ? null : annotations.get(Annotations.RESTORE_FROM)))
        .flatMap(Optional::stream);
  }

  private static Stream<FlinkDeploymentSpec> specs(FlinkDeployment resource) {
    FlinkDeploymentStatus status = resource.getStatus();
    return Stream.of(
            Stream.of(resource.getSpec()),
            frozen(status::lastReconciled),
            frozen(status::lastStable))
        .flatMap(it -> it);
  }

  private static Stream<FlinkDeploymentSpec> frozen(Supplier<@Nullable FrozenSpec> frozen) {
    try {
      return Stream.ofNullable(frozen.get()).map(FrozenSpec::spec);
    } catch (IllegalArgumentException unreadable) {
      return Stream.empty();
    }
  }

  private static Optional<String> ofNullable(@Nullable String path) {
    return Optional.ofNullable(path);
  }
}
