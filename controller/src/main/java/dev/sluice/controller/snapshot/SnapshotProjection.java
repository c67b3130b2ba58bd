package dev.sluice.controller.snapshot;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.SnapshotReasons;
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
    return FlinkStateSnapshotStatus.EMPTY
        .withObservedGeneration(seen.generation())
        .withConditions(new Conditions(seen, history).all());
  }

  @Override
  public FlinkStateSnapshotStatus owned(FlinkStateSnapshot resource) {
    FlinkStateSnapshotStatus status = resource.getStatus();
    return FlinkStateSnapshotStatus.EMPTY
        .withObservedGeneration(status.observedGeneration())
        .withConditions(status.conditions());
  }

  /** Ready, Progressing and Stalled of a snapshot. */
  private static final class Conditions {

    private final SeenSnapshot seen;
    private final ConditionHistory history;

    Conditions(SeenSnapshot seen, ConditionHistory history) {
      this.seen = seen;
      this.history = history;
    }

    List<Condition> all() {
      return List.of(ready(), progressing(), stalled());
    }

    private Condition ready() {
      boolean completed = seen.state() == SnapshotState.COMPLETED;
      return history.condition(
          ConditionTypes.READY, ConditionStatus.of(completed), reason(), message());
    }

    private Condition progressing() {
      String unavailable = seen.workflow().unavailable();
      if (!seen.isWanted() && !seen.isDeleting()) {
        return progressing(ConditionStatus.FALSE, Reasons.IDLE, "No operation is running.");
      }
      if (unavailable != null) {
        return progressing(ConditionStatus.UNKNOWN, Reasons.TEMPORAL_UNAVAILABLE, unavailable);
      }
      return seen.isDeleting()
          ? progressing(ConditionStatus.TRUE, Reasons.DELETING, "It is being deleted.")
          : progressing(ConditionStatus.TRUE, reason(), message());
    }

    private Condition progressing(ConditionStatus status, String reason, String message) {
      return history.condition(ConditionTypes.PROGRESSING, status, reason, message);
    }

    private Condition stalled() {
      OperationStatus operation = seen.status().operation();
      if (operation != null && operation.state() == OperationState.BLOCKED) {
        return stalled(
            true,
            Objects.requireNonNullElse(operation.reason(), Reasons.BLOCKED),
            Objects.requireNonNullElse(operation.message(), "Retried automatically."));
      }
      boolean stalled =
          seen.state() == SnapshotState.FAILED || seen.state() == SnapshotState.ABANDONED;
      return stalled
          ? stalled(true, reason(), message())
          : stalled(false, Reasons.NOT_STALLED, "No action is required.");
    }

    private Condition stalled(boolean stalled, String reason, String message) {
      return history.condition(
          ConditionTypes.STALLED, ConditionStatus.of(stalled), reason, message);
    }

    private String reason() {
      return switch (seen.state()) {
        case TRIGGER_PENDING -> seen.isOpen() ? SnapshotReasons.IN_PROGRESS : Reasons.PENDING;
        case IN_PROGRESS -> SnapshotReasons.IN_PROGRESS;
        case COMPLETED -> SnapshotReasons.COMPLETED;
        case FAILED -> SnapshotReasons.FAILED;
        case ABANDONED -> SnapshotReasons.ABANDONED;
      };
    }

    private String message() {
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
}
