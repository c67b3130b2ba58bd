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
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sees that what a status asks for without a FlinkStateSnapshot has its run, on a lane of its own
 * for each type: what is taken, and what the history has no place for. It follows the status that
 * was written, and not what is configured: so what was begun goes on when that changes.
 */
final class StatusSnapshotRuns {

  private final OperationDispatcher dispatcher;
  private final ReconcileIntervals intervals;

  StatusSnapshotRuns(OperationDispatcher dispatcher, ReconcileIntervals intervals) {
    this.dispatcher = dispatcher;
    this.intervals = intervals;
  }

  /**
   * Begins to do what is needed. The write of a status that asks for more wakes the resource.
   *
   * @param known what nonces were answered
   * @param wake brings the resource back
   * @return when to look again; null when there is nothing to take
   */
  @Nullable Duration carryOut(SnapshotOwner seen, SnapshotTriggers known, Runnable wake) {
    Duration review = null;
    for (SnapshotType type : SnapshotType.values()) {
      ResourceRef lane = StatusLane.of(seen.ref(), type);
      Optional<StatusSnapshot> wanted =
          seen.status().wantedSnapshot(seen.status().snapshotTriggers(), type);
      Duration again = null;
      // what is removed already is not interrupted; the JobManager deletes the files
      boolean removes =
          type == SnapshotType.SAVEPOINT
              && seen.status().savepointToRemove().isPresent()
              && (dispatcher.state(lane).started(OperationType.DELETE)
                  || (wanted.isEmpty() && seen.isJobUp()));
      if (removes) {
        again = remove(seen, lane, wake);
      } else if (wanted.isPresent()) {
        again =
            run(seen, known, type, new Wanted(lane, wanted.get(), dispatcher.state(lane)), wake);
      } else {
        dispatcher.forget(lane);
      }
      review = again == null || (review != null && review.compareTo(again) < 0) ? review : again;
    }
    return review;
  }

  /** Whether a run was started that disposes of a savepoint of the history. */
  boolean isRemoving(ResourceRef ref) {
    return dispatcher
        .state(StatusLane.of(ref, SnapshotType.SAVEPOINT))
        .started(OperationType.DELETE);
  }

  private Duration remove(SnapshotOwner seen, ResourceRef lane, Runnable wake) {
    WorkflowState state = dispatcher.state(lane);
    boolean isKnown = state.started(OperationType.DELETE);
    if (!isKnown || !state.fresh()) {
      NewRun run =
          new NewRun(
              OperationType.DELETE,
              seen.generation(),
              "dispose of a savepoint in the history of " + lane.display(),
              details(seen, "jobStatus.savepointInfo"),
              false);
      dispatcher.submit(
          lane, new ReconcileAction.Start(run, seen.generation(), isKnown, null), state, wake);
    }
    return again(state);
  }

  private Duration again(WorkflowState state) {
    return state.unavailable() == null ? intervals.resync() : intervals.temporalRetry();
  }

  private static String details(SnapshotOwner seen, String field) {
    return "`kubectl get %s -n %s %s -o jsonpath={.status.%s}`"
        .formatted(
            HasMetadata.getSingular(seen.resource().getClass()),
            seen.ref().namespace(),
            seen.ref().name(),
            field);
  }

  private Duration run(
      SnapshotOwner seen, SnapshotTriggers known, SnapshotType type, Wanted wanted, Runnable wake) {
    WorkflowState state = wanted.state();
    Optional<Request> abort = abort(seen, known, type, wanted);
    dispatcher.submit(wanted.lane(), decide(seen, type, wanted, abort), state, wake);
    // one that was aborted and goes on all the same is aborted again with its next failure
    dispatcher.keepAnswers(wanted.lane(), abort.stream().toList());
    return again(state);
  }

  private record Wanted(ResourceRef lane, StatusSnapshot snapshot, WorkflowState state) {}

  /** Another request ends one that keeps failing; the status tells when it has. */
  private static Optional<Request> abort(
      SnapshotOwner seen, SnapshotTriggers known, SnapshotType type, Wanted wanted) {
    return isFailing(SnapshotInStatus.status(wanted.snapshot()))
        ? SnapshotRequest.of(seen, known, type)
            .map(
                it ->
                    new Request.Abort(
                        it.display() + " asks for another one", wanted.snapshot().name()))
        : Optional.empty();
  }

  private static ReconcileAction decide(
      SnapshotOwner seen, SnapshotType type, Wanted wanted, Optional<Request> abort) {
    WorkflowState state = wanted.state();
    NewRun run = run(seen, type, wanted);
    if (abort.isPresent() && !state.answers().containsKey(abort.get())) {
      // a run that has ended cannot give it up, so another one does
      return new ReconcileAction.Signal(abort.get(), run);
    }
    boolean isKnown = abort.isPresent() || state.started(OperationType.SNAPSHOT);
    return isKnown && state.fresh()
        ? new ReconcileAction.Nothing()
        : new ReconcileAction.Start(run, seen.generation(), isKnown, null);
  }

  /** In the pause after an attempt that failed: nothing of it is in Flink. */
  static boolean isFailing(FlinkStateSnapshotStatus status) {
    return status.stateOrPending() == SnapshotState.TRIGGER_PENDING && status.failureCount() > 0;
  }

  private static NewRun run(SnapshotOwner seen, SnapshotType type, Wanted wanted) {
    ResourceRef lane = wanted.lane();
    return new NewRun(
        OperationType.SNAPSHOT,
        seen.generation(),
        "snapshot %s: %s %s".formatted(lane.display(), type.word(), wanted.snapshot().name()),
        details(seen, "snapshots." + type.word()),
        false);
  }

  /** The resource is gone. */
  void forget(ResourceRef ref) {
    for (SnapshotType type : SnapshotType.values()) {
      dispatcher.forget(StatusLane.of(ref, type));
    }
  }
}
