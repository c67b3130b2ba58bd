package dev.sluice.controller.status;

import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.api.common.RecoveryStatus;
import dev.sluice.api.common.WrittenTime;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.operation.ResourcePhase;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The event of an operation that has begun: what was decided for the job. It is told here and not
 * by the operation, which so needs no further write. Pure.
 */
public final class PlanEvents {

  /** Events expire after an hour, and with them what a restarted controller knows of them. */
  private static final Duration RECENT = Duration.ofMinutes(30);

  private PlanEvents() {}

  /**
   * What there is to tell, also when it was told before: it is dated, and so told once. A run that
   * decides anew tells that, too. An operation may have ended before it was seen.
   */
  public static Optional<StatusEvent> of(SeenResource seen) {
    OperationStatus operation = seen.operation();
    Instant decided = decided(seen);
    if (seen.phase() == ResourcePhase.DELETING
        || operation == null
        || operation.type() == null
        || operation.plan() == null
        || decided == null
        || !(operation.isOpen() || decided.isAfter(seen.at().minus(RECENT)))) {
      return Optional.empty();
    }
    return Optional.of(
        new StatusEvent(
            false,
            reason(seen, operation.type()),
            operation.plan(),
            operation.runId() + " " + operation.plan(),
            decided));
  }

  /** When it was decided; where that is not written, when the target was frozen, or null. */
  private static @Nullable Instant decided(SeenResource seen) {
    OperationStatus operation = seen.operation();
    ReconciliationStatus reconciliation = seen.status().reconciliationStatus();
    Long frozen = reconciliation == null ? null : reconciliation.reconciliationTimestamp();
    return WrittenTime.read(operation == null ? null : operation.plannedAt())
        .orElse(frozen == null ? null : Instant.ofEpochMilli(frozen));
  }

  private static String reason(SeenResource seen, OperationType type) {
    return switch (type) {
      case UPGRADE, RESCALE, SUSPEND -> EventReasons.SPEC_CHANGED;
      case TRANSITION ->
          seen.frozenGeneration() == null ? EventReasons.SUBMIT : EventReasons.SPEC_CHANGED;
      case ROLLBACK -> EventReasons.ROLLBACK;
      case RECOVER -> {
        RecoveryStatus recovery = seen.status().recovery();
        yield recovery != null && recovery.cause() == RecoveryCause.UNHEALTHY
            ? EventReasons.RESTART_UNHEALTHY_JOB
            : EventReasons.RECOVER_DEPLOYMENT;
      }
      default -> EventReasons.SUBMIT;
    };
  }
}
