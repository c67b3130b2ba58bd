package dev.sluice.controller.snapshot;

import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.common.StatusSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.controller.common.ReconcileIntervals;
import dev.sluice.controller.operation.NewRun;
import dev.sluice.controller.operation.OperationDispatcher;
import dev.sluice.controller.operation.ReconcileAction.Start;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StatusLane;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Sees that what a status asks for without a FlinkStateSnapshot has its run, on a lane for each
 * type. It follows the status that was written, and not what is configured: so what was begun
 * continues when that changes.
 */
final class StatusSnapshotRuns {

  private final OperationDispatcher dispatcher;
  private final ReconcileIntervals intervals;

  StatusSnapshotRuns(OperationDispatcher dispatcher, ReconcileIntervals intervals) {
    this.dispatcher = dispatcher;
    this.intervals = intervals;
  }

  /**
   * Starts what is needed.
   *
   * @return when to look again
   */
  Stream<Duration> request(SnapshotOwner seen) {
    return Stream.of(SnapshotType.values()).flatMap(type -> request(seen, type));
  }

  private Stream<Duration> request(SnapshotOwner seen, SnapshotType type) {
    ResourceRef lane = StatusLane.of(seen.ref(), type);
    Optional<StatusSnapshot> wanted =
        seen.status().wantedSnapshot(seen.status().snapshotTriggers(), type);
    if (wanted.isEmpty()) {
      dispatcher.forget(lane);
      return Stream.empty();
    }
    NewRun run = run(seen, lane, type, String.valueOf(wanted.get().name()));
    return Stream.ofNullable(
        dispatcher
            .dispatch(lane, new Start(run, seen.generation(), true, null), intervals.resync())
            .review());
  }

  private static NewRun run(SnapshotOwner seen, ResourceRef lane, SnapshotType type, String name) {
    return new NewRun(
        OperationType.SNAPSHOT,
        seen.generation(),
        "snapshot %s: %s %s".formatted(lane.display(), type.word(), name),
        "`kubectl get %s -n %s %s -o jsonpath={.status.snapshots.%s}`"
            .formatted(
                HasMetadata.getSingular(seen.resource().getClass()),
                seen.ref().namespace(),
                seen.ref().name(),
                type.word()),
        false);
  }

  /** In the pause after an attempt that failed: nothing of it is in Flink. */
  static boolean isFailing(FlinkStateSnapshotStatus status) {
    return status.stateOrPending() == SnapshotState.TRIGGER_PENDING && status.failureCount() > 0;
  }

  /** The resource is gone. */
  void forget(ResourceRef ref) {
    for (SnapshotType type : SnapshotType.values()) {
      dispatcher.forget(StatusLane.of(ref, type));
    }
  }
}
