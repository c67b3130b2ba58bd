package dev.sluice.controller.status;

import dev.sluice.api.Annotations;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.validation.Violation;
import dev.sluice.controller.deployment.DeploymentPhase;
import dev.sluice.controller.deployment.DeploymentSnapshot;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reasons and messages. None of them holds a step, a count or a time: what changes while an
 * operation is at work would cost a write each time, and stands in {@code status.operation}.
 */
final class ConditionMessages {

  private ConditionMessages() {}

  /** The reason that stands for the operation at work. */
  static String atWork(DeploymentSnapshot situation) {
    if (situation.stage() == DeploymentPhase.DELETING) {
      return Reasons.DELETING;
    }
    ReconciliationStatus reconciliation = situation.status().reconciliationStatus();
    if (reconciliation != null && reconciliation.state() == ReconciliationState.ROLLING_BACK) {
      return Reasons.ROLLING_BACK;
    }
    return switch (type(situation)) {
      case DEPLOY -> Reasons.DEPLOYING;
      case ROLLBACK -> Reasons.ROLLING_BACK;
      case DELETE -> Reasons.DELETING;
      default -> Reasons.UPGRADING;
    };
  }

  private static OperationType type(DeploymentSnapshot situation) {
    OperationStatus operation = situation.operation();
    return situation.stage() == DeploymentPhase.RUNNING
            && operation != null
            && operation.type() != null
            && operation.isOpen()
        ? operation.type()
        : situation.bringing();
  }

  static String atWorkMessage(DeploymentSnapshot situation) {
    String workflow = "; see status.operation and workflow " + situation.ref().laneId();
    return switch (atWork(situation)) {
      case Reasons.DELETING -> "the job and its cluster are being removed" + workflow;
      case Reasons.DEPLOYING ->
          "generation " + situation.generation() + " is being deployed" + workflow;
      case Reasons.ROLLING_BACK -> "the last stable spec is being restored" + workflow;
      default ->
          "generation " + situation.generation() + " is being brought to the cluster" + workflow;
    };
  }

  /** InvalidSpec, unless all that is wrong is that something is not supported yet. */
  static String invalidReason(DeploymentSnapshot situation) {
    return situation.violations().stream()
        .map(Violation::reason)
        .reduce((one, other) -> one.equals(other) ? one : Reasons.INVALID_SPEC)
        .orElse(Reasons.INVALID_SPEC);
  }

  /** Every violation with its path. */
  static String invalid(DeploymentSnapshot situation) {
    String what =
        situation.stage() == DeploymentPhase.SETTLED
            ? " is deployed, and cannot be changed before it is corrected"
            : " is not valid and was not applied" + goesOn(situation);
    return "generation "
        + situation.generation()
        + what
        + ": "
        + situation.violations().stream()
            .map(Violation::toString)
            .collect(Collectors.joining("; "));
  }

  /** The reason of an operation that waits for a person. */
  static String parked(@Nullable OperationStatus operation) {
    return operation == null || operation.reason() == null
        ? Reasons.WAITING_FOR_OPERATOR
        : operation.reason();
  }

  static String parkedMessage(@Nullable OperationStatus operation) {
    String message =
        operation == null || operation.message() == null
            ? "a step cannot succeed"
            : operation.message();
    return message
        + " [go on with the annotation "
        + Annotations.RETRY
        + " or "
        + Annotations.ABORT
        + ", or with another spec]";
  }

  static String givenUp(@Nullable OperationStatus operation) {
    return operation != null && operation.state() == OperationState.FAILED
        ? Reasons.OPERATION_FAILED
        : Reasons.ABORTED;
  }

  static String givenUpMessage(DeploymentSnapshot situation) {
    OperationStatus operation = situation.operation();
    String message = operation == null ? null : operation.message();
    return "generation "
        + situation.generation()
        + " was given up"
        + goesOn(situation)
        + (message == null ? "" : ": " + message)
        + " [apply another spec, or try this one again with the annotation "
        + Annotations.RETRY
        + "]";
  }

  private static String goesOn(DeploymentSnapshot situation) {
    FrozenSpec frozen = situation.frozen();
    boolean deployed =
        situation.stage() == DeploymentPhase.REFUSED
            || situation.stage() == DeploymentPhase.GIVEN_UP;
    ReconciliationStatus reconciliation = situation.status().reconciliationStatus();
    boolean begun =
        reconciliation != null && reconciliation.state() == ReconciliationState.UPGRADING;
    if (!deployed || frozen == null || begun) {
      return "";
    }
    return frozen.generation() == 0
        ? ", the spec before it stays deployed"
        : ", generation " + frozen.generation() + " stays deployed";
  }

  /** {@code JOB_STATE} as {@code JobState}. */
  static String camelCase(String upper) {
    StringBuilder text = new StringBuilder();
    for (String word : upper.split("_", -1)) {
      if (!word.isEmpty()) {
        text.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
      }
    }
    return text.toString();
  }
}
