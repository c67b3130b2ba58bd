package dev.sluice.controller.deployment;

import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.SnapshotTriggers;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.common.StatusSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.SnapshotInStatus;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.controller.common.ReconcileIntervals;
import dev.sluice.controller.operation.NewRun;
import dev.sluice.controller.operation.OperationDispatcher;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.Request;
import dev.sluice.controller.operation.WorkflowState;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StatusLane;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sees that what a status asks for without a FlinkStateSnapshot has its run, on a lane of its own
 * for each type: what is taken, and what the history has no place for. It follows the status that
 * was written, and not what is configured: so what was begun goes on when that changes.
 */
final class StatusSnapshotRuns {

  /** The run reads in the status what it is to take. */
  private static final Duration ONCE_WRITTEN = Duration.ofMillis(1);

  private final OperationDispatcher dispatcher;
  private final ReconcileIntervals intervals;

  StatusSnapshotRuns(OperationDispatcher dispatcher, ReconcileIntervals intervals) {
    this.dispatcher = dispatcher;
    this.intervals = intervals;
  }

  /**
   * Begins to do what is needed.
   *
   * @param known what nonces were answered
   * @param wake brings the resource back
   * @return when to look again; null when there is nothing to take
   */
  @Nullable Duration carryOut(DeploymentSnapshot seen, SnapshotTriggers known, Runnable wake) {
    Duration review = null;
    for (SnapshotType type : SnapshotType.values()) {
      ResourceRef lane = StatusLane.of(seen.ref(), type);
      Optional<StatusSnapshot> wanted = wanted(seen, seen.status().snapshotTriggers(), type);
      Duration again = null;
      if (wanted.isPresent()) {
        again =
            run(seen, known, type, new Wanted(lane, wanted.get(), dispatcher.state(lane)), wake);
      } else if (type == SnapshotType.SAVEPOINT && seen.status().savepointToRemove().isPresent()) {
        again = remove(seen, lane, wake);
      } else {
        dispatcher.forget(lane);
        again = isAsked(seen, known, type) ? ONCE_WRITTEN : null;
      }
      review = again == null || (review != null && review.compareTo(again) < 0) ? review : again;
    }
    return review;
  }

  private static Optional<StatusSnapshot> wanted(
      DeploymentSnapshot seen, @Nullable SnapshotTriggers triggers, SnapshotType type) {
    return seen.status().snapshotsOrNone().wanted(triggers, type);
  }

  private static boolean isAsked(
      DeploymentSnapshot seen, SnapshotTriggers known, SnapshotType type) {
    return wanted(seen, known, type).isPresent()
        || !Objects.equals(known.removal(), SnapshotNonces.known(seen).removal());
  }

  private Duration remove(DeploymentSnapshot seen, ResourceRef lane, Runnable wake) {
    WorkflowState state = dispatcher.state(lane);
    boolean isKnown = state.started(OperationType.DELETE);
    if (!isKnown || !state.fresh()) {
      NewRun run =
          new NewRun(
              OperationType.DELETE,
              seen.generation(),
              "dispose of a savepoint in the history of " + lane.display(),
              details(lane, "jobStatus.savepointInfo"),
              false);
      dispatcher.submit(
          lane, new ReconcileAction.Start(run, seen.generation(), isKnown, null), state, wake);
    }
    return again(state);
  }

  private Duration again(WorkflowState state) {
    return state.unavailable() == null ? intervals.resync() : intervals.temporalRetry();
  }

  private static String details(ResourceRef lane, String field) {
    return "`kubectl get flinkdep -n %s %s -o jsonpath={.status.%s}`"
        .formatted(lane.namespace(), lane.name(), field);
  }

  private Duration run(
      DeploymentSnapshot seen,
      SnapshotTriggers known,
      SnapshotType type,
      Wanted wanted,
      Runnable wake) {
    WorkflowState state = wanted.state();
    dispatcher.submit(wanted.lane(), decide(seen, known, type, wanted), state, wake);
    return again(state);
  }

  private record Wanted(ResourceRef lane, StatusSnapshot snapshot, WorkflowState state) {}

  private static ReconcileAction decide(
      DeploymentSnapshot seen, SnapshotTriggers known, SnapshotType type, Wanted wanted) {
    Optional<Long> newer = SnapshotNonces.pending(seen, known, type);
    if (newer.isPresent() && isFailing(wanted.snapshot())) {
      return new ReconcileAction.Signal(
          new Request.Abort(
              "spec.job.%sTriggerNonce %d asks for another one"
                  .formatted(type.word(), newer.get())),
          null);
    }
    boolean isKnown = wanted.state().started(OperationType.SNAPSHOT);
    return isKnown && wanted.state().fresh()
        ? new ReconcileAction.Nothing()
        : new ReconcileAction.Start(run(seen, type, wanted), seen.generation(), isKnown, null);
  }

  /** In the pause after an attempt that failed: nothing of it is in Flink. */
  private static boolean isFailing(StatusSnapshot snapshot) {
    FlinkStateSnapshotStatus status = SnapshotInStatus.status(snapshot);
    return status.stateOrPending() == SnapshotState.TRIGGER_PENDING && status.failureCount() > 0;
  }

  private static NewRun run(DeploymentSnapshot seen, SnapshotType type, Wanted wanted) {
    ResourceRef lane = wanted.lane();
    return new NewRun(
        OperationType.SNAPSHOT,
        seen.generation(),
        "snapshot %s: %s %s".formatted(lane.display(), type.word(), wanted.snapshot().name()),
        details(lane, "snapshots." + type.word()),
        false);
  }

  /** The resource is gone. */
  void forget(ResourceRef ref) {
    for (SnapshotType type : SnapshotType.values()) {
      dispatcher.forget(StatusLane.of(ref, type));
    }
  }
}
