package dev.sluice.activities.resource;

import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import org.jspecify.annotations.Nullable;

/**
 * The part of a status that belongs to the workflow. It is always written as a whole, because
 * server-side apply takes away what a manager leaves out.
 *
 * @param reconciliation which spec is frozen and which was stable
 * @param operation the operation in flight, or the last one; null before the first
 * @param upgradeSavepointPath {@code jobStatus.upgradeSavepointPath}; null when none is recorded
 */
record OwnedStatus(
    ReconciliationStatus reconciliation,
    @Nullable OperationStatus operation,
    @Nullable String upgradeSavepointPath) {

  static OwnedStatus of(FlinkDeploymentStatus status) {
    ReconciliationStatus reconciliation = status.reconciliationStatus();
    JobStatus job = status.jobStatus();
    String path = job == null ? null : job.upgradeSavepointPath();
    return new OwnedStatus(
        reconciliation == null ? ReconciliationStatus.EMPTY : reconciliation,
        status.operation(),
        path == null || path.isBlank() ? null : path);
  }

  /** A status that says this and nothing else. */
  FlinkDeploymentStatus alone() {
    FlinkDeploymentStatus status =
        FlinkDeploymentStatus.EMPTY
            .withReconciliationStatus(reconciliation)
            .withOperation(operation);
    return upgradeSavepointPath == null
        ? status
        : status.withJobStatus(JobStatus.EMPTY.withUpgradeSavepointPath(upgradeSavepointPath));
  }

  /** The frozen target; null before the first deployment. */
  @Nullable FrozenSpec frozen() {
    return FrozenSpec.parseNullable(reconciliation.lastReconciledSpec());
  }

  /** The last spec that was stable; null when none was. */
  @Nullable FrozenSpec stable() {
    return FrozenSpec.parseNullable(reconciliation.lastStableSpec());
  }

  OwnedStatus withReconciliation(ReconciliationStatus other) {
    return new OwnedStatus(other, operation, upgradeSavepointPath);
  }

  OwnedStatus withOperation(OperationStatus other) {
    return new OwnedStatus(reconciliation, other, upgradeSavepointPath);
  }

  OwnedStatus withUpgradeSavepointPath(@Nullable String path) {
    return new OwnedStatus(reconciliation, operation, path);
  }
}
