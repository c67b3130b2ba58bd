package dev.sluice.controller.deployment;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.validation.SpecValidation;
import dev.sluice.api.validation.Violation;
import dev.sluice.workflows.resource.ResourceRef;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A resource, what was seen of it, and what follows from both: the one thing that {@link
 * DeploymentPlanner} and the status are derived from.
 *
 * @param violations why the newest spec is not valid; empty when it is, and while deleting
 * @param frozen the spec that is, or is being, deployed; null when there never was one
 * @param changes fields in which the newest spec differs from the frozen one in a way that needs an
 *     operation, for people, secrets masked; empty when none
 */
public record DeploymentSnapshot(
    FlinkDeployment resource,
    ObservedState seen,
    List<Violation> violations,
    @Nullable FrozenSpec frozen,
    List<String> changes,
    DeploymentPhase stage) {

  private static final String FROZEN_PATH = "status.reconciliationStatus.lastReconciledSpec";

  public DeploymentSnapshot {
    violations = List.copyOf(violations);
    changes = List.copyOf(changes);
  }

  /** Puts together what is known. */
  public static DeploymentSnapshot of(FlinkDeployment resource, ObservedState seen) {
    List<Violation> violations = new ArrayList<>();
    FrozenSpec frozen = frozen(resource.getStatus(), violations);
    boolean deleting = resource.getMetadata().getDeletionTimestamp() != null;
    if (!deleting) {
      violations.addAll(SpecValidation.validate(resource, frozen));
    }
    List<String> changes =
        frozen == null ? List.of() : SpecCheck.changes(frozen, resource.getSpec());
    return new DeploymentSnapshot(
        resource,
        seen,
        violations,
        frozen,
        changes,
        deleting
            ? DeploymentPhase.DELETING
            : stage(resource, frozen, !violations.isEmpty(), !changes.isEmpty()));
  }

  private static @Nullable FrozenSpec frozen(
      FlinkDeploymentStatus status, List<Violation> violations) {
    try {
      return status.lastReconciled();
    } catch (IllegalArgumentException unreadable) {
      // deploying beside a cluster that may run is the one thing not to do
      violations.add(
          new Violation(
              FROZEN_PATH,
              "cannot be read, so what is deployed is not known; restore it from a backup, or"
                  + " delete the resource and create it anew"));
      return null;
    }
  }

  private static DeploymentPhase stage(
      FlinkDeployment resource, @Nullable FrozenSpec frozen, boolean invalid, boolean changed) {
    FlinkDeploymentStatus status = resource.getStatus();
    OperationStatus operation = status.operation();
    OperationState state = operation == null ? null : operation.state();
    if (state == OperationState.PARKED) {
      return DeploymentPhase.PARKED;
    }
    boolean endedBadly = state == OperationState.ABORTED || state == OperationState.FAILED;
    boolean begun = begun(status.reconciliationStatus());
    if (state == OperationState.RUNNING || (begun && !endedBadly)) {
      return DeploymentPhase.RUNNING;
    }
    long generation = resource.getMetadata().getGeneration();
    boolean deployed = frozen != null && !begun && !changed;
    long frozenGeneration = frozen == null ? 0 : frozen.generation();
    if (invalid) {
      // what Apache's operator, or an older release of ours, deployed may break a rule of today
      return deployed && (frozenGeneration == 0 || generation <= frozenGeneration)
          ? DeploymentPhase.SETTLED
          : DeploymentPhase.REFUSED;
    }
    if (deployed) {
      return DeploymentPhase.SETTLED;
    }
    if (operation != null && givesUp(operation, endedBadly, generation)) {
      return DeploymentPhase.GIVEN_UP;
    }
    // a frozen generation above ours: the resource in the cache is older than its status
    return frozen != null && !begun && generation <= frozenGeneration
        ? DeploymentPhase.SETTLED
        : DeploymentPhase.WANTED;
  }

  private static boolean begun(@Nullable ReconciliationStatus reconciliation) {
    ReconciliationState state = reconciliation == null ? null : reconciliation.state();
    return state == ReconciliationState.UPGRADING || state == ReconciliationState.ROLLING_BACK;
  }

  /** A rollback ends with the old generation as its target and the one given up as its origin. */
  private static boolean givesUp(OperationStatus operation, boolean endedBadly, long generation) {
    return (endedBadly || operation.type() == OperationType.ROLLBACK)
        && Math.max(orZero(operation.targetGeneration()), orZero(operation.fromGeneration()))
            == generation;
  }

  static long orZero(@Nullable Long number) {
    return number == null ? 0 : number;
  }

  /** The resource as workflows know it. */
  public ResourceRef ref() {
    return new ResourceRef(
        FlinkDeployment.KIND,
        resource.getMetadata().getNamespace(),
        resource.getMetadata().getName(),
        resource.getMetadata().getUid());
  }

  /** {@code metadata.generation}. */
  public long generation() {
    return resource.getMetadata().getGeneration();
  }

  /** The status as it stands in Kubernetes. */
  public FlinkDeploymentStatus status() {
    return resource.getStatus();
  }

  /** The operation in flight or the last one; null when there never was one. */
  public @Nullable OperationStatus operation() {
    return status().operation();
  }

  /** The type of run that brings the newest spec to the cluster. */
  public OperationType bringing() {
    ReconciliationStatus reconciliation = status().reconciliationStatus();
    boolean ranBefore =
        frozen != null
            && (!begun(reconciliation)
                || (reconciliation != null && reconciliation.lastStableSpec() != null));
    return ranBefore ? OperationType.UPGRADE : OperationType.DEPLOY;
  }

  /** The generation that an open operation goes for; the newest when its status does not say. */
  public long target() {
    OperationStatus operation = operation();
    Long target = operation == null ? null : operation.targetGeneration();
    return target == null ? generation() : target;
  }

  /** The value of an annotation on the resource, without blanks around; null when absent. */
  public @Nullable String annotation(String name) {
    var annotations = resource.getMetadata().getAnnotations();
    String value = annotations == null ? null : annotations.get(name);
    return value == null || value.isBlank() ? null : value.trim();
  }
}
