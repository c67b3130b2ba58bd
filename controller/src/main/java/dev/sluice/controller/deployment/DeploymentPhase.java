package dev.sluice.controller.deployment;

import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where a resource stands between what its spec wants and what its status says. */
public enum DeploymentPhase {
  /** It has a deletion timestamp. */
  DELETING,
  /** An operation is at work, or was begun and its run is lost. */
  RUNNING,
  /** A step of an operation fails for a reason that may pass; it is tried again by itself. */
  BLOCKED,
  /** An operation is parked: action is required. */
  PARKED,
  /** The newest spec is valid and is not what was deployed: an operation must be started. */
  PENDING,
  /** The operation for the newest spec has ended without reaching it. */
  GIVEN_UP,
  /** The newest spec is not valid; no operation is open. */
  INVALID,
  /** The newest spec is what was deployed. */
  SETTLED;

  private static final Set<String> GIVEN_UP_REASONS =
      Set.of(Reasons.ABORTED, Reasons.OPERATION_FAILED);

  /** Whether an operation is open, as far as the status tells. */
  public boolean isOpen() {
    return this == RUNNING || this == BLOCKED || this == PARKED;
  }

  /** Whether cluster and job change under an operation's hands. */
  public boolean inFlight() {
    return this == RUNNING || this == BLOCKED || this == PENDING || this == DELETING;
  }

  /** The phase of a resource whose spec was checked. */
  static DeploymentPhase of(FlinkDeployment resource, SpecCheck check) {
    if (resource.getMetadata().getDeletionTimestamp() != null) {
      return DELETING;
    }
    FlinkDeploymentStatus status = resource.getStatus();
    OperationStatus operation = status.operation();
    OperationState state = operation == null ? null : operation.state();
    if (state == OperationState.PARKED) {
      return PARKED;
    }
    if (state == OperationState.BLOCKED) {
      return BLOCKED;
    }
    boolean endedBadly = state == OperationState.ABORTED || state == OperationState.FAILED;
    boolean begun = begun(status.reconciliationStatus());
    if (state == OperationState.RUNNING || (begun && !endedBadly)) {
      return RUNNING;
    }
    long generation = resource.getMetadata().getGeneration();
    boolean deployed = check.sameAsFrozen() && !begun;
    long frozenGeneration = check.frozen() == null ? 0 : check.frozen().generation();
    if (!check.isValid()) {
      // what Apache's operator, or an older release of ours, deployed may break a rule of today
      return deployed && (frozenGeneration == 0 || generation <= frozenGeneration)
          ? SETTLED
          : INVALID;
    }
    if (deployed) {
      return SETTLED;
    }
    if (isGivenUp(status, endedBadly, generation)
        || (isAbortedFirst(status) && startsAsFrozen(resource, check))) {
      return GIVEN_UP;
    }
    // a frozen generation above ours: the resource in the cache is older than its status
    return check.frozen() != null && !begun && generation <= frozenGeneration ? SETTLED : PENDING;
  }

  /** Whether an operation was begun and not finished. */
  static boolean begun(@Nullable ReconciliationStatus reconciliation) {
    ReconciliationState state = reconciliation == null ? null : reconciliation.state();
    return state == ReconciliationState.UPGRADING || state == ReconciliationState.ROLLING_BACK;
  }

  /**
   * What differs from an aborted first deployment in ignored fields only is given up with it,
   * unless they decide how the job is started.
   */
  private static boolean startsAsFrozen(FlinkDeployment resource, SpecCheck check) {
    FrozenSpec frozen = check.frozen();
    JobSpec before = frozen == null ? null : frozen.spec().job();
    JobSpec now = resource.getSpec().job();
    if (before == null && now == null) {
      return check.sameAsFrozen(); // a session cluster starts from nothing
    }
    return check.sameAsFrozen()
        && before != null
        && now != null
        && Objects.equals(before.initialSavepointPath(), now.initialSavepointPath())
        && Objects.equals(before.flinkStateSnapshotReference(), now.flinkStateSnapshotReference())
        && Objects.equals(before.allowNonRestoredState(), now.allowNonRestoredState())
        && before.upgradeMode() == now.upgradeMode();
  }

  private static boolean isAbortedFirst(FlinkDeploymentStatus status) {
    OperationStatus operation = status.operation();
    ReconciliationStatus reconciliation = status.reconciliationStatus();
    return operation != null
        && operation.type() == OperationType.DEPLOY
        && operation.state() == OperationState.ABORTED
        && (reconciliation == null || reconciliation.lastStableSpec() == null);
  }

  private static boolean isGivenUp(
      FlinkDeploymentStatus status, boolean endedBadly, long generation) {
    OperationStatus operation = status.operation();
    if (operation == null) {
      return false;
    }
    if (operation.type() == OperationType.FINISH) {
      return saidGivenUp(status, generation);
    }
    boolean keeps =
        operation.type() == OperationType.ROLLBACK || operation.type() == OperationType.RECOVER;
    return (endedBadly || keeps) && newestKnown(operation) == generation;
  }

  /**
   * The newest generation that an operation was about. A rollback ends with the old generation as
   * its target and the one given up as its origin, and so does a recovery of that old one.
   */
  static long newestKnown(OperationStatus operation) {
    return Math.max(
        Objects.requireNonNullElse(operation.targetGeneration(), 0L),
        Objects.requireNonNullElse(operation.fromGeneration(), 0L));
  }

  /**
   * Whether the conditions say that this generation was given up. Only they still do when a Finish
   * has replaced the operation that gave it up.
   */
  static boolean saidGivenUp(FlinkDeploymentStatus status, long generation) {
    return status
        .condition(ConditionTypes.STALLED)
        .filter(stalled -> GIVEN_UP_REASONS.contains(stalled.getReason()))
        .filter(stalled -> Objects.equals(stalled.getObservedGeneration(), generation))
        .isPresent();
  }
}
