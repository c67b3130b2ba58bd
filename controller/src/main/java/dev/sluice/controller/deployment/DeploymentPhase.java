package dev.sluice.controller.deployment;

import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.controller.status.SpecCheck;
import java.util.Objects;

/** The phase of a FlinkDeployment: when its newest spec counts as given up. */
final class DeploymentPhase {

  private DeploymentPhase() {}

  /** The phase of a resource whose spec was checked. */
  static ResourcePhase of(FlinkDeployment resource, SpecCheck<FrozenSpec> check) {
    FlinkDeploymentStatus status = resource.getStatus();
    FrozenSpec frozen = check.frozen();
    return ResourcePhase.of(
        resource.getMetadata(),
        status,
        new ResourcePhase.Newest(
            check.isValid(), check.sameAsFrozen(), frozen == null ? null : frozen.generation()),
        () ->
            ResourcePhase.isGivenUp(status.operation(), resource.getMetadata().getGeneration())
                || (isAbortedFirst(status) && startsAsFrozen(resource, check)));
  }

  /**
   * What differs from an aborted first deployment in ignored fields only is given up with it,
   * unless they decide how the job is started.
   */
  private static boolean startsAsFrozen(FlinkDeployment resource, SpecCheck<FrozenSpec> check) {
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
}
