package dev.sluice.controller.deployment;

import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.api.common.RecoveryStatus;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.controller.common.StatusEvent;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The event of an operation that has begun: what it brings, and what was decided for the job. It is
 * told here and not by the operation, which so needs no further write. Pure.
 */
final class PlanEvents {

  /** Events expire after an hour, and with them what a restarted controller knows of them. */
  private static final Duration RECENT = Duration.ofMinutes(30);

  private PlanEvents() {}

  /**
   * What there is to tell, also when it was told before: it is dated, and so told once. A run that
   * decides anew tells that, too. An operation may have ended before it was seen.
   */
  static Optional<StatusEvent> of(DeploymentSnapshot snapshot) {
    OperationStatus operation = snapshot.operation();
    Instant decided = decided(snapshot);
    if (snapshot.phase() == DeploymentPhase.DELETING
        || operation == null
        || operation.type() == null
        || operation.plan() == null
        || decided == null
        || !(operation.isOpen() || decided.isAfter(snapshot.observed().at().minus(RECENT)))) {
      return Optional.empty();
    }
    List<String> changes = changes(snapshot, operation);
    return Optional.of(
        StatusEvent.dated(
            reason(snapshot, operation.type()),
            operation.plan() + (changes.isEmpty() ? "" : " Changed: " + String.join(", ", changes)),
            operation.runId() + " " + operation.plan(),
            decided));
  }

  /** When it was decided; where that is not written, when the target was frozen, or null. */
  private static @Nullable Instant decided(DeploymentSnapshot snapshot) {
    OperationStatus operation = snapshot.operation();
    ReconciliationStatus reconciliation = snapshot.status().reconciliationStatus();
    Long frozen = reconciliation == null ? null : reconciliation.reconciliationTimestamp();
    try {
      String planned = operation == null ? null : operation.plannedAt();
      if (planned != null) {
        return Instant.parse(planned);
      }
    } catch (DateTimeParseException unreadable) {
      // somebody has edited the status
    }
    return frozen == null ? null : Instant.ofEpochMilli(frozen);
  }

  private static String reason(DeploymentSnapshot snapshot, OperationType type) {
    return switch (type) {
      case UPGRADE, SUSPEND -> EventReasons.SPEC_CHANGED;
      case ROLLBACK -> EventReasons.ROLLBACK;
      case RECOVER -> {
        RecoveryStatus recovery = snapshot.status().recovery();
        yield recovery != null && recovery.cause() == RecoveryCause.UNHEALTHY
            ? EventReasons.RESTART_UNHEALTHY_JOB
            : EventReasons.RECOVER_DEPLOYMENT;
      }
      default -> EventReasons.SUBMIT;
    };
  }

  /** Against the spec that ran before; empty when that cannot be told. */
  private static List<String> changes(DeploymentSnapshot snapshot, OperationStatus operation) {
    FrozenSpec target = snapshot.check().frozen();
    if (target == null || !operation.isOpen()) {
      return List.of();
    }
    try {
      FrozenSpec before = snapshot.status().lastStable();
      return before == null ? List.of() : SpecCheck.changes(before.spec(), target.spec());
    } catch (IllegalArgumentException unreadable) {
      return List.of();
    }
  }
}
