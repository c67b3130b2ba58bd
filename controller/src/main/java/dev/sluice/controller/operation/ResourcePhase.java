package dev.sluice.controller.operation;

import dev.sluice.api.common.JobResourceStatus;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Where a resource stands between what its spec wants and what its status says. */
public enum ResourcePhase {
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

  /** Whether an operation is open, as far as the status shows. */
  public boolean isOpen() {
    return this == RUNNING || this == BLOCKED || this == PARKED;
  }

  /** Whether no operation is open, and none is to be. */
  public boolean isIdle() {
    return this == GIVEN_UP || this == INVALID || this == SETTLED;
  }

  /** Whether cluster and job change under an operation's hands. */
  public boolean inFlight() {
    return this == RUNNING || this == BLOCKED || this == PENDING || this == DELETING;
  }

  /**
   * The newest spec, checked.
   *
   * @param valid it may be deployed
   * @param sameAsFrozen it differs from the frozen one in ignored fields at most
   * @param frozenGeneration of the spec that is, or is being, deployed; 0 when it does not say;
   *     null when there never was one, or when it cannot be read
   */
  public record Newest(boolean valid, boolean sameAsFrozen, @Nullable Long frozenGeneration) {}

  /**
   * The phase of a resource whose spec was checked.
   *
   * @param givenUp whether the newest spec was given up; asked where nothing else decides
   */
  public static ResourcePhase of(
      ObjectMeta metadata, JobResourceStatus status, Newest newest, BooleanSupplier givenUp) {
    if (metadata.getDeletionTimestamp() != null) {
      return DELETING;
    }
    OperationStatus operation = status.operation();
    OperationState state = operation == null ? null : operation.state();
    if (state == OperationState.PARKED) {
      return PARKED;
    }
    if (state == OperationState.BLOCKED) {
      return BLOCKED;
    }
    boolean begun = status.isBegun();
    if (state == OperationState.RUNNING || (begun && !hasEndedBadly(operation))) {
      return RUNNING;
    }
    long generation = metadata.getGeneration();
    boolean deployed = newest.sameAsFrozen() && !begun;
    long frozen = Objects.requireNonNullElse(newest.frozenGeneration(), 0L);
    if (!newest.valid()) {
      // what Apache's operator, or an older release of ours, deployed may break a rule of today
      return deployed && (frozen == 0 || generation <= frozen) ? SETTLED : INVALID;
    }
    if (deployed) {
      return SETTLED;
    }
    if (givenUp.getAsBoolean()) {
      return GIVEN_UP;
    }
    // a frozen generation above ours: the resource in the cache is older than its status
    return newest.frozenGeneration() != null && !begun && generation <= frozen ? SETTLED : PENDING;
  }

  /** Whether the last operation has given that generation up. */
  public static boolean isGivenUp(@Nullable OperationStatus operation, long generation) {
    return operation != null && Objects.equals(operation.givenUpGeneration(), generation);
  }

  /** Whether the last operation was about that generation, and was aborted or failed. */
  public static boolean isAborted(@Nullable OperationStatus operation, long generation) {
    return operation != null
        && operation.hasEndedBadly()
        && operation.newestGeneration() == generation;
  }

  private static boolean hasEndedBadly(@Nullable OperationStatus operation) {
    return operation != null && operation.hasEndedBadly();
  }
}
