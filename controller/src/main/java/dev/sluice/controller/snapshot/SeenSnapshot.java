package dev.sluice.controller.snapshot;

import dev.sluice.api.Annotations;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.api.snapshot.SavepointSpec;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.api.snapshot.SnapshotValidation;
import dev.sluice.api.validation.Violation;
import dev.sluice.controller.operation.AnnotationRequests;
import dev.sluice.controller.operation.WorkflowState;
import dev.sluice.workflows.model.ResourceRef;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the controller knows of a snapshot at one moment.
 *
 * @param resource as the informer has it
 * @param ref to it
 * @param workflow what is known of its lane
 * @param requests in its annotations
 * @param violations what is wrong with its spec
 */
record SeenSnapshot(
    FlinkStateSnapshot resource,
    ResourceRef ref,
    WorkflowState workflow,
    AnnotationRequests requests,
    List<Violation> violations) {

  /** How long it is known without a look that the savepoint of an operation is there. */
  private static final Duration KNOWN_FOR = Duration.ofHours(1);

  SeenSnapshot {
    violations = List.copyOf(violations);
  }

  static SeenSnapshot of(FlinkStateSnapshot resource, ResourceRef ref, WorkflowState workflow) {
    FlinkStateSnapshotStatus status = resource.getStatus();
    return new SeenSnapshot(
        resource,
        ref,
        workflow,
        AnnotationRequests.of(
            resource, status.requests(), workflow.answers(), status.observedGeneration() == null),
        SnapshotValidation.validate(resource));
  }

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
    return violations.isEmpty() && !state().isFinal();
  }

  /**
   * Where its savepoint is, when that is known without a run and not in the status yet; null
   * otherwise. An operation took it just before the resource was made: of one that was made long
   * after that, as from a backup, the files may be gone.
   */
  @Nullable String takenAt() {
    boolean untold = status().state() == null && status().operation() == null;
    SavepointSpec savepoint = resource.getSpec().savepoint();
    return untold && violations.isEmpty() && wasTakenJustBefore()
        ? Objects.requireNonNull(savepoint).pathOrNull()
        : null;
  }

  private boolean wasTakenJustBefore() {
    if (!RequestedSnapshot.isOfTaken(resource)) {
      return false;
    }
    Instant made = Instant.parse(resource.getMetadata().getCreationTimestamp());
    Map<String, String> annotations = resource.getMetadata().getAnnotations();
    return annotations != null
        && annotations.containsKey(Annotations.TAKEN_AT)
        && made.isBefore(RequestedSnapshot.takenAt(resource).plus(KNOWN_FOR));
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
    var spec = resource.getSpec();
    String taken =
        spec.isOfExisting()
            ? "existing savepoint"
            : spec.checkpoint() == null ? "savepoint" : "checkpoint";
    var reference = spec.jobReference();
    return reference == null
        ? taken
        : "%s of %s %s".formatted(taken, reference.kind(), reference.name());
  }

  /** What is done for it before its run says more. */
  String next() {
    return resource.getSpec().isOfExisting()
        ? "Looking whether the savepoint exists."
        : "A " + what() + " will be taken.";
  }

  /** Why the spec is invalid; null when it is not. */
  @Nullable Violation firstViolation() {
    return violations.isEmpty() ? null : violations.get(0);
  }
}
