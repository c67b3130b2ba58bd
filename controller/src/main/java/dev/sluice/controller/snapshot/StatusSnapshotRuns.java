package dev.sluice.controller.snapshot;

import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.common.StatusSnapshot;
import dev.sluice.controller.common.ReconcileIntervals;
import dev.sluice.controller.operation.NewRun;
import dev.sluice.controller.operation.OperationDispatcher;
import dev.sluice.controller.operation.ReconcileAction.Start;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StatusLane;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
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
    StatusSnapshot open = seen.status().openSnapshot(type).orElse(null);
    if (open == null) {
      dispatcher.forget(lane);
      return Stream.empty();
    }
    NewRun run =
        new NewRun(
            OperationType.SNAPSHOT,
            seen.generation(),
            "snapshot %s: %s %s".formatted(lane.display(), type.word(), open.name()),
            "`kubectl get %s -n %s %s -o jsonpath={.status.snapshots.%s}`"
                .formatted(
                    HasMetadata.getSingular(seen.resource().getClass()),
                    seen.ref().namespace(),
                    seen.ref().name(),
                    type.word()),
            false);
    return Stream.ofNullable(
        dispatcher
            .dispatch(lane, new Start(run, seen.generation(), true, null), intervals.resync())
            .review());
  }

  /** The resource is gone. */
  void forget(ResourceRef ref) {
    for (SnapshotType type : SnapshotType.values()) {
      dispatcher.forget(StatusLane.of(ref, type));
    }
  }
}
