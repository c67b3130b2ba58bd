package dev.sluice.controller.status;

import dev.sluice.api.Annotations;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.validation.Violation;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.ResourcePhase;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reasons and messages about specs and operations, the same for every kind. Those of a running
 * operation hold no step, count or time: what changes while it is at work would cost a write each
 * time, and stands in {@code status.operation}.
 */
public final class OperationWords {

  /** While no answer of Flink has come yet. */
  public static final String NOT_ASKED = "Flink was not queried yet.";

  private OperationWords() {}

  /** Why Temporal cannot be used, if it is needed; else null. */
  public static @Nullable String unavailable(SeenResource seen, ReconcileAction decision) {
    return decision.needsTemporal() ? seen.workflow().unavailable() : null;
  }

  /** The reason that stands for the operation at work. */
  static String operationReason(SeenResource seen) {
    return switch (type(seen)) {
      case DEPLOY -> Reasons.DEPLOYING;
      case ROLLBACK -> Reasons.ROLLING_BACK;
      case RECOVER -> Reasons.RECOVERING;
      case DELETE -> Reasons.DELETING;
      case SUSPEND -> Reasons.SUSPENDING;
      case RESUME -> Reasons.RESUMING;
      default -> Reasons.UPGRADING;
    };
  }

  /** The operation that is at work, or about to be. */
  static OperationType type(SeenResource seen) {
    if (seen.phase() == ResourcePhase.DELETING) {
      return OperationType.DELETE;
    }
    if (seen.isRollingBack()) {
      return OperationType.ROLLBACK;
    }
    OperationStatus operation = seen.operation();
    OperationType open = operation != null && operation.isOpen() ? operation.type() : null;
    // a Transition deploys, suspends and resumes, too
    return open == null || open == OperationType.TRANSITION ? seen.forward() : open;
  }

  static String operationMessage(SeenResource seen) {
    String what =
        switch (type(seen)) {
          case DEPLOY -> "Deploying generation " + seen.goal();
          case ROLLBACK -> "Restoring the last stable spec";
          case RECOVER -> "Bringing " + seen.recovered() + " back with the deployed spec";
          case DELETE -> seen.deletion();
          case TEAR_DOWN -> "Tearing one of two versions down";
          case RESCALE -> "Rescaling to generation " + seen.goal();
          case SUSPEND -> "Suspending with generation " + seen.goal();
          case RESUME -> "Resuming with generation " + seen.goal();
          case TRANSITION -> "Going over to generation " + seen.goal();
          default -> "Upgrading to generation " + seen.goal();
        };
    String waits = seen.waitsFor();
    return what
        + "; see status.operation and workflow "
        + seen.ref().laneId()
        + "."
        + (waits.isEmpty() ? "" : " " + waits);
  }

  /** The deletion that waits for something; empty when it is at work, or there is none. */
  static Optional<OperationStatus> heldDeletion(SeenResource seen) {
    return seen.phase() == ResourcePhase.DELETING
        ? Optional.ofNullable(seen.operation())
            .filter(it -> it.type() == OperationType.DELETE)
            .filter(it -> it.state() == OperationState.BLOCKED)
        : Optional.empty();
  }

  /** InvalidSpec, unless all that is wrong is that something is not supported yet. */
  static String invalidReason(SeenResource seen) {
    return seen.violations().stream()
        .map(Violation::reason)
        .reduce((one, other) -> one.equals(other) ? one : Reasons.INVALID_SPEC)
        .orElse(Reasons.INVALID_SPEC);
  }

  /** Every violation with its path. */
  static String invalid(SeenResource seen) {
    String what =
        seen.phase() == ResourcePhase.SETTLED
            ? " is deployed, but is not valid any more; any change must also correct this"
            : " is not valid and was not applied" + stillDeployed(seen);
    return "Generation " + seen.generation() + what + ": " + Violation.joined(seen.violations());
  }

  /** The reason of an operation that is parked or blocked. */
  static String waitingReason(SeenResource seen) {
    OperationStatus operation = seen.operation();
    if (operation != null && operation.reason() != null) {
      return operation.reason();
    }
    return seen.phase() == ResourcePhase.BLOCKED ? Reasons.BLOCKED : Reasons.WAITING_FOR_OPERATOR;
  }

  static String waitingMessage(SeenResource seen) {
    OperationStatus operation = seen.operation();
    String message = operation == null ? null : operation.message();
    boolean blocked = seen.phase() == ResourcePhase.BLOCKED;
    String cause =
        message != null
            ? message
            : blocked ? "A step fails for a reason that may pass." : "A step cannot succeed.";
    return cause
        + (blocked
            ? " [Sluice retries automatically. To retry now, annotate with "
                + Annotations.RETRY
                + "; to abort, with "
                + Annotations.ABORT
                + ".]"
            : " [To go on, annotate with "
                + Annotations.RETRY
                + " or "
                + Annotations.ABORT
                + ", or apply another spec.]");
  }

  static String givenUpReason(SeenResource seen) {
    OperationStatus operation = seen.operation();
    return operation != null && operation.state() == OperationState.FAILED
        ? Reasons.OPERATION_FAILED
        : Reasons.ABORTED;
  }

  /** That the newest spec was given up, why, and what to do. */
  public static String givenUpMessage(SeenResource seen) {
    OperationStatus operation = seen.operation();
    // a recovery of what stays deployed says nothing about why this was given up
    String message =
        operation == null || operation.type() == OperationType.RECOVER ? null : operation.message();
    return "Generation "
        + seen.generation()
        + " was given up"
        + stillDeployed(seen)
        + (message == null ? "." : ": " + message)
        + " [Apply another spec, or annotate with "
        + Annotations.RETRY
        + " to try this one again.]";
  }

  private static String stillDeployed(SeenResource seen) {
    Long frozen = seen.frozenGeneration();
    boolean idle = seen.phase() == ResourcePhase.INVALID || seen.phase() == ResourcePhase.GIVEN_UP;
    if (!idle || frozen == null || ResourcePhase.begun(seen.status().reconciliationStatus())) {
      return "";
    }
    return frozen == 0
        ? "; the spec before it stays deployed"
        : "; generation " + frozen + " stays deployed";
  }

  /** Suffix of a message about a spec that has fields without effect. */
  public static String ignored(SeenResource seen) {
    return seen.ignored().isEmpty() ? "" : " (ignored: " + String.join("; ", seen.ignored()) + ")";
  }
}
