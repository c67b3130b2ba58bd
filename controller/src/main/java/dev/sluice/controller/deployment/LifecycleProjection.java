package dev.sluice.controller.deployment;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.LifecycleState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.deployment.JobManagerDeploymentStatus;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The one word that Apache's operator publishes, by the order of its {@code
 * CommonStatus.getLifecycleState}; where that reads the text of an error, this reads typed fields.
 * Unlike there, what is not there or does not answer is not STABLE.
 */
final class LifecycleProjection {

  private LifecycleProjection() {}

  /**
   * @param underway an operation is at work, or about to be
   */
  static LifecycleState of(DeploymentSnapshot snapshot, ObservedJobStatus live, boolean underway) {
    if (snapshot.phase() == DeploymentPhase.DELETING) {
      return LifecycleState.DELETING;
    }
    ReconciliationStatus reconciliation = snapshot.status().reconciliationStatus();
    ReconciliationState state = reconciliation == null ? null : reconciliation.state();
    if (state == ReconciliationState.ROLLING_BACK) {
      return LifecycleState.ROLLING_BACK;
    }
    // already from the start of an operation: the freeze that follows then changes nothing here
    boolean changes =
        underway
            && !snapshot.isOpen(OperationType.FINISH)
            && !snapshot.isOpen(OperationType.RECOVER);
    if (changes || state == ReconciliationState.UPGRADING) {
      return LifecycleState.UPGRADING;
    }
    FrozenSpec deployed = snapshot.check().frozen();
    if (deployed == null || reconciliation == null) {
      return snapshot.check().isValid() && !failed(snapshot.operation())
          ? LifecycleState.CREATED
          : LifecycleState.FAILED;
    }
    if (snapshot.isSuspended()) {
      return LifecycleState.SUSPENDED;
    }
    if (isLost(snapshot, live)) {
      return LifecycleState.FAILED;
    }
    if (state == ReconciliationState.ROLLED_BACK) {
      return LifecycleState.ROLLED_BACK;
    }
    boolean answers =
        live.jobManager() == JobManagerDeploymentStatus.READY || snapshot.hasFinished();
    return answers
            && Objects.equals(reconciliation.lastReconciledSpec(), reconciliation.lastStableSpec())
        ? LifecycleState.STABLE
        : LifecycleState.DEPLOYED;
  }

  private static boolean isLost(DeploymentSnapshot snapshot, ObservedJobStatus live) {
    boolean jobFailed = live.job() != null && live.job().state() == FlinkJobState.FAILED;
    boolean noCluster =
        live.jobManager() == JobManagerDeploymentStatus.MISSING
            || live.jobManager() == JobManagerDeploymentStatus.ERROR;
    return jobFailed
        || snapshot.isJobManagerMissing()
        || (noCluster && (failed(snapshot.operation()) || isHeld(snapshot.phase())));
  }

  private static boolean isHeld(DeploymentPhase phase) {
    return phase == DeploymentPhase.PARKED || phase == DeploymentPhase.BLOCKED;
  }

  private static boolean failed(@Nullable OperationStatus operation) {
    return operation != null && operation.state() == OperationState.FAILED;
  }
}
