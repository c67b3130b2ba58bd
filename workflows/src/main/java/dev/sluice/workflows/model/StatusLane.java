package dev.sluice.workflows.model;

import dev.sluice.api.common.SnapshotType;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The lane of what is taken of a job without a FlinkStateSnapshot: one for each type, apart from
 * the lane of the operations on what runs the job.
 */
public final class StatusLane {

  private StatusLane() {}

  /**
   * The lane, as a reference: of a kind of its own, and with the name and uid of the owner.
   *
   * @param owner runs the job
   */
  public static ResourceRef of(ResourceRef owner, SnapshotType type) {
    return withKind(owner, owner.kind() + suffix(type));
  }

  /** What is taken on it; empty when it is the lane of a resource. */
  public static Optional<SnapshotType> typeOf(ResourceRef lane) {
    return Stream.of(SnapshotType.values())
        .filter(type -> lane.kind().endsWith(suffix(type)))
        .findFirst();
  }

  /** What runs the job; the same when it is the lane of a resource. */
  public static ResourceRef owner(ResourceRef lane) {
    return typeOf(lane)
        .map(type -> lane.kind().substring(0, lane.kind().length() - suffix(type).length()))
        .map(kind -> withKind(lane, kind))
        .orElse(lane);
  }

  private static ResourceRef withKind(ResourceRef ref, String kind) {
    return new ResourceRef(ref.kubernetes(), kind, ref.namespace(), ref.name(), ref.uid());
  }

  private static String suffix(SnapshotType type) {
    return "-" + type.word();
  }
}
