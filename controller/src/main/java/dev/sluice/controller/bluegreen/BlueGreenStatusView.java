package dev.sluice.controller.bluegreen;

import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentStatus;
import dev.sluice.api.common.HandledRequests;
import dev.sluice.api.common.JobResourceStatus;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.RecordedState;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The status of a FlinkBlueGreenDeployment in the words that are the same for every kind that has a
 * job. What concerns the job alone is in the statuses of the children.
 *
 * @param status as it stands
 */
record BlueGreenStatusView(FlinkBlueGreenDeploymentStatus status) implements JobResourceStatus {

  @Override
  public @Nullable HandledRequests requests() {
    return status.requests();
  }

  @Override
  public @Nullable Long observedGeneration() {
    return status.observedGeneration();
  }

  @Override
  public @Nullable JobStatus jobStatus() {
    return status.jobStatus();
  }

  /** A transition that was begun is an upgrade that is not finished. */
  @Override
  public @Nullable ReconciliationStatus reconciliationStatus() {
    boolean begun = status.transition() != null;
    return begun || status.lastReconciledSpec() != null
        ? ReconciliationStatus.EMPTY
            .withLastReconciledSpec(status.lastReconciledSpec())
            .withLastStableSpec(status.lastReconciledSpec())
            .withState(begun ? ReconciliationState.UPGRADING : ReconciliationState.DEPLOYED)
        : null;
  }

  @Override
  public List<Condition> conditions() {
    return status.conditions();
  }

  @Override
  public @Nullable OperationStatus operation() {
    return status.operation();
  }

  @Override
  public @Nullable RecordedState recordedState() {
    return null;
  }
}
