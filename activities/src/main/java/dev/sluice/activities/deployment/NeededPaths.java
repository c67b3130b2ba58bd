package dev.sluice.activities.deployment;

import dev.sluice.activities.job.RestoredPath;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.SavepointSpec;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where state is that somebody may still need. Pure. */
public final class NeededPaths {

  private NeededPaths() {}

  /** Whether a job may be started from it, of this resource or of another one. */
  public static boolean contain(
      Collection<FlinkDeployment> resources, FlinkStateSnapshot snapshot) {
    ObjectMeta metadata = snapshot.getMetadata();
    String path = snapshot.getStatus().path();
    return resources.stream()
        .anyMatch(
            it ->
                isNamed(it, metadata.getNamespace(), metadata.getName())
                    || (path != null && of(it).anyMatch(needed -> isSame(snapshot, path, needed))));
  }

  /**
   * Whether a job of that resource may be started from a savepoint.
   *
   * @param namespace of the FlinkStateSnapshot that the savepoint belongs to
   * @param name of it
   * @param path of the savepoint
   */
  static boolean contain(FlinkDeployment resource, String namespace, String name, String path) {
    return isNamed(resource, namespace, name)
        || of(resource).anyMatch(needed -> RestoredPath.haveSameName(path, needed));
  }

  private static boolean isNamed(FlinkDeployment resource, String namespace, String name) {
    return specs(resource)
        .flatMap(spec -> Stream.ofNullable(spec.job()))
        .flatMap(job -> Stream.ofNullable(job.flinkStateSnapshotReference()))
        .anyMatch(
            it ->
                name.equals(it.name())
                    && Objects.requireNonNullElse(
                            it.namespace(), resource.getMetadata().getNamespace())
                        .equals(namespace));
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

  private static Stream<String> of(FlinkDeployment resource) {
    FlinkDeploymentStatus status = resource.getStatus();
    RecordedState recorded = status.recordedState();
    RecordedState.Left left = recorded == null ? null : recorded.leftByStable();
    Map<String, String> annotations = resource.getMetadata().getAnnotations();
    Stream<String> started =
        specs(resource)
            .flatMap(spec -> Stream.ofNullable(spec.job()))
            .flatMap(job -> Stream.ofNullable(job.startPath()));
    Stream<String> kept =
        Stream.of(
                ofNullable(
                    status.jobStatus() == null ? null : status.jobStatus().upgradeSavepointPath()),
                ofNullable(recorded == null ? null : recorded.path()),
                ofNullable(left == null ? null : left.path()),
                ofNullable(annotations == null ? null : annotations.get(Annotations.RESTORE_FROM)))
            .flatMap(Optional::stream);
    return Stream.concat(started, kept);
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
