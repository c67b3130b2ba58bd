package dev.sluice.controller.snapshot;

import dev.sluice.api.Annotations;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.JobReference;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.controller.operation.TemporalAnswers;
import dev.sluice.controller.reconcile.SeenLane;
import dev.sluice.workflows.model.ResourceRef;
import java.util.List;
import java.util.Objects;

/**
 * What the controller knows of a snapshot at one moment.
 *
 * @param resource as the informer has it
 * @param ref to it
 * @param workflow the answers of Temporal
 */
record SeenSnapshot(FlinkStateSnapshot resource, ResourceRef ref, TemporalAnswers temporal)
    implements SeenLane<FlinkStateSnapshot> {

  FlinkStateSnapshotStatus status() {
    return resource.getStatus();
  }

  SnapshotState state() {
    return status().stateOrPending();
  }

  long generation() {
    return Objects.requireNonNullElse(resource.getMetadata().getGeneration(), 0L);
  }

  boolean isDeleting() {
    return resource.getMetadata().getDeletionTimestamp() != null;
  }

  boolean hasFinalizer() {
    List<String> finalizers = resource.getMetadata().getFinalizers();
    return finalizers != null && finalizers.contains(FlinkStateSnapshot.FINALIZER);
  }

  /** Whether it asks for something that is not done yet. */
  boolean isWanted() {
    return !state().isFinal();
  }

  /** Whether the status says that a run is open. */
  boolean isOpen() {
    OperationStatus operation = status().operation();
    return operation != null && operation.isOpen();
  }

  /** Whether the deletion has come to its end, with the files gone or left. */
  boolean isDisposed() {
    OperationStatus operation = status().operation();
    return operation != null
        && operation.type() == OperationType.DELETE
        && !operation.isOpen()
        && ref.laneId().equals(operation.workflowId());
  }

  boolean isForced() {
    return Annotations.forcesDeletion(resource.getMetadata());
  }

  /** What is taken, of what: {@code savepoint of FlinkDeployment orders}. */
  String what() {
    String taken = resource.getSpec().type().word();
    JobReference reference = resource.getSpec().jobReference();
    return reference == null
        ? taken
        : "%s of %s %s".formatted(taken, reference.kind(), reference.name());
  }
}
