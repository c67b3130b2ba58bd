package dev.sluice.controller.status;

import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.LifecycleState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.deployment.JobManagerDeploymentStatus;
import dev.sluice.controller.deployment.DeploymentPhase;
import dev.sluice.controller.deployment.DeploymentSnapshot;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The one word that Apache's operator publishes, by the order of its {@code
 * CommonStatus.getLifecycleState}; where that reads the text of an error, this reads typed fields.
 */
final class LifecycleProjection {

  private LifecycleProjection() {}

  /**
   * @param frozen an operation is at work
   */
  static LifecycleState of(DeploymentSnapshot situation, ObservedJobStatus live, boolean frozen) {
    if (situation.stage() == DeploymentPhase.DELETING) {
      return LifecycleState.DELETING;
    }
    ReconciliationStatus reconciliation = situation.status().reconciliationStatus();
    ReconciliationState state = reconciliation == null ? null : reconciliation.state();
    if (state == ReconciliationState.ROLLING_BACK) {
      return LifecycleState.ROLLING_BACK;
    }
    // already from the start of an operation: the freeze that follows then changes nothing here
    if (frozen || state == ReconciliationState.UPGRADING) {
      return LifecycleState.UPGRADING;
    }
    FrozenSpec deployed = situation.frozen();
    if (deployed == null || reconciliation == null) {
      return situation.violations().isEmpty() && !failed(situation.operation())
          ? LifecycleState.CREATED
          : LifecycleState.FAILED;
    }
    if (deployed.spec().job() != null
        && deployed.spec().job().state() == DesiredJobState.SUSPENDED) {
      return LifecycleState.SUSPENDED;
    }
    if (isLost(situation, live)) {
      return LifecycleState.FAILED;
    }
    if (state == ReconciliationState.ROLLED_BACK) {
      return LifecycleState.ROLLED_BACK;
    }
    return Objects.equals(reconciliation.lastReconciledSpec(), reconciliation.lastStableSpec())
        ? LifecycleState.STABLE
        : LifecycleState.DEPLOYED;
  }

  private static boolean isLost(DeploymentSnapshot situation, ObservedJobStatus live) {
    if (live.job() != null && live.job().state() == FlinkJobState.FAILED) {
      return true;
    }
    boolean noCluster =
        live.jobManager() == JobManagerDeploymentStatus.MISSING
            || live.jobManager() == JobManagerDeploymentStatus.ERROR;
    return noCluster && failed(situation.operation());
  }

  private static boolean failed(@Nullable OperationStatus operation) {
    return operation != null && operation.state() == OperationState.FAILED;
  }
}
