package dev.sluice.controller.snapshot;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.controller.common.ConditionHistory;
import dev.sluice.controller.common.ConditionStatus;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.reconcile.StatusProjection;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Clock;
import java.util.List;
import java.util.Objects;

/** The controller's part of the status of a FlinkStateSnapshot: what is true now. */
final class SnapshotProjection
    implements StatusProjection<FlinkStateSnapshot, FlinkStateSnapshotStatus, SeenSnapshot> {

  private final Clock clock;

  SnapshotProjection(Clock clock) {
    this.clock = clock;
  }

  @Override
  public FlinkStateSnapshotStatus project(SeenSnapshot seen, ReconcileAction decision) {
    ConditionHistory history =
        ConditionHistory.of(seen.status()::condition, seen.generation(), clock.instant());
    boolean completed = seen.state() == SnapshotState.COMPLETED;
    return FlinkStateSnapshotStatus.EMPTY
        .withObservedGeneration(seen.generation())
        .withConditions(
            List.of(
                history.condition(
                    ConditionTypes.READY,
                    ConditionStatus.of(completed),
                    reason(seen),
                    message(seen)),
                progressing(seen, history),
                stalled(seen, history)));
  }

  @Override
  public FlinkStateSnapshotStatus owned(FlinkStateSnapshot resource) {
    FlinkStateSnapshotStatus status = resource.getStatus();
    return FlinkStateSnapshotStatus.EMPTY
        .withObservedGeneration(status.observedGeneration())
        .withConditions(status.conditions());
  }

  private static Condition progressing(SeenSnapshot seen, ConditionHistory history) {
    String type = ConditionTypes.PROGRESSING;
    String unavailable = seen.temporal().unavailable();
    if (!seen.isWanted() && !seen.isDeleting()) {
      return history.condition(
          type, ConditionStatus.FALSE, Reasons.IDLE, "No operation is running.");
    }
    if (unavailable != null) {
      return history.condition(
          type, ConditionStatus.UNKNOWN, Reasons.TEMPORAL_UNAVAILABLE, unavailable);
    }
    return seen.isDeleting()
        ? history.condition(type, ConditionStatus.TRUE, Reasons.DELETING, "It is being deleted.")
        : history.condition(type, ConditionStatus.TRUE, reason(seen), message(seen));
  }

  private static Condition stalled(SeenSnapshot seen, ConditionHistory history) {
    String type = ConditionTypes.STALLED;
    OperationStatus operation = seen.status().operation();
    if (operation != null && operation.state() == OperationState.BLOCKED) {
      return history.condition(
          type,
          ConditionStatus.TRUE,
          Objects.requireNonNullElse(operation.reason(), Reasons.BLOCKED),
          Objects.requireNonNullElse(operation.message(), "Retried automatically."));
    }
    boolean givenUp =
        seen.state() == SnapshotState.FAILED || seen.state() == SnapshotState.ABANDONED;
    return givenUp
        ? history.condition(type, ConditionStatus.TRUE, reason(seen), message(seen))
        : history.condition(
            type, ConditionStatus.FALSE, Reasons.NOT_STALLED, "No action is required.");
  }

  private static String reason(SeenSnapshot seen) {
    return switch (seen.state()) {
      case TRIGGER_PENDING -> seen.isOpen() ? Reasons.SNAPSHOT_IN_PROGRESS : Reasons.PENDING;
      case IN_PROGRESS -> Reasons.SNAPSHOT_IN_PROGRESS;
      case COMPLETED -> Reasons.SNAPSHOT_COMPLETED;
      case FAILED -> Reasons.SNAPSHOT_FAILED;
      case ABANDONED -> Reasons.SNAPSHOT_ABANDONED;
    };
  }

  private static String message(SeenSnapshot seen) {
    OperationStatus operation = seen.status().operation();
    String told = operation == null ? null : operation.message();
    return switch (seen.state()) {
      case TRIGGER_PENDING, IN_PROGRESS ->
          Objects.requireNonNullElse(told, "A " + seen.what() + " will be taken.");
      case COMPLETED ->
          seen.status().path() == null
              ? "It was taken; Flink does not tell where it is."
              : "It is at " + seen.status().path();
      case FAILED, ABANDONED ->
          Objects.requireNonNullElse(seen.status().error(), "It was given up.");
    };
  }
}
