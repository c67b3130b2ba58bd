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
    return decision.needsTemporal() ? seen.temporal().unavailable() : null;
  }

  /** Reason and message of a condition. */
  record Text(String reason, String message) {}

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
    return open == null || open == OperationType.TRANSITION ? seen.nextOperation() : open;
  }

  /** Of the operation at work. */
  static Text atWork(SeenResource seen) {
    long to = seen.goal();
    Text what =
        switch (type(seen)) {
          case DEPLOY -> new Text(Reasons.DEPLOYING, "Deploying generation " + to);
          case ROLLBACK -> new Text(Reasons.ROLLING_BACK, "Restoring the last stable spec");
          case RECOVER ->
              new Text(
                  Reasons.RECOVERING,
                  "Bringing " + seen.recovered() + " back with the deployed spec");
          case DELETE -> new Text(Reasons.DELETING, seen.deletion());
          case SUSPEND -> new Text(Reasons.SUSPENDING, "Suspending with generation " + to);
          case RESUME -> new Text(Reasons.RESUMING, "Resuming with generation " + to);
          case TEAR_DOWN -> new Text(Reasons.UPGRADING, "Tearing one of two versions down");
          case RESCALE -> new Text(Reasons.UPGRADING, "Rescaling to generation " + to);
          case TRANSITION -> new Text(Reasons.UPGRADING, "Going over to generation " + to);
          default -> new Text(Reasons.UPGRADING, "Upgrading to generation " + to);
        };
    return new Text(
        what.reason(),
        "%s; see status.operation and workflow %s. %s"
            .formatted(what.message(), seen.ref().laneId(), seen.waitsFor())
            .stripTrailing());
  }

  /** The deletion that waits for something; empty when it is at work, or there is none. */
  static Optional<OperationStatus> heldDeletion(SeenResource seen) {
    return seen.phase() == ResourcePhase.DELETING
        ? Optional.ofNullable(seen.operation())
            .filter(it -> it.type() == OperationType.DELETE)
            .filter(it -> it.state() == OperationState.BLOCKED)
        : Optional.empty();
  }

  /** Every violation with its path; InvalidSpec, unless all of it is only not supported yet. */
  static Text invalid(SeenResource seen) {
    String reason =
        seen.violations().stream()
            .map(Violation::reason)
            .reduce((one, other) -> one.equals(other) ? one : Reasons.INVALID_SPEC)
            .orElse(Reasons.INVALID_SPEC);
    String what =
        seen.phase() == ResourcePhase.SETTLED
            ? " is deployed, but is not valid any more; any change must also correct this"
            : " is not valid and was not applied" + stillDeployed(seen);
    return new Text(
        reason,
        "Generation " + seen.generation() + what + ": " + Violation.joined(seen.violations()));
  }

  /** Of an operation that is parked or blocked. */
  static Text waiting(SeenResource seen) {
    boolean blocked = seen.phase() == ResourcePhase.BLOCKED;
    Optional<OperationStatus> operation = Optional.ofNullable(seen.operation());
    String cause =
        operation
            .map(OperationStatus::message)
            .orElse(
                blocked ? "A step fails for a reason that may pass." : "A step cannot succeed.");
    return new Text(
        operation
            .map(OperationStatus::reason)
            .orElse(blocked ? Reasons.BLOCKED : Reasons.WAITING_FOR_OPERATOR),
        cause
            + (blocked
                    ? " [Sluice retries automatically. To retry now, annotate with %s; to abort, with %s.]"
                    : " [To go on, annotate with %s or %s, or apply another spec.]")
                .formatted(Annotations.RETRY, Annotations.ABORT));
  }

  /** That the newest spec was given up, why, and what to do. */
  static Text givenUp(SeenResource seen) {
    OperationStatus operation = seen.operation();
    boolean failed = operation != null && operation.state() == OperationState.FAILED;
    // a recovery of what stays deployed says nothing about why this was given up
    String message =
        operation == null || operation.type() == OperationType.RECOVER ? null : operation.message();
    return new Text(
        failed ? Reasons.OPERATION_FAILED : Reasons.ABORTED,
        "Generation %d was given up%s%s [Apply another spec, or annotate with %s to try this one again.]"
            .formatted(
                seen.generation(),
                stillDeployed(seen),
                message == null ? "." : ": " + message,
                Annotations.RETRY));
  }

  private static String stillDeployed(SeenResource seen) {
    Long frozen = seen.frozenGeneration();
    boolean idle = seen.phase() == ResourcePhase.INVALID || seen.phase() == ResourcePhase.GIVEN_UP;
    if (!idle || frozen == null || seen.status().isBegun()) {
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
