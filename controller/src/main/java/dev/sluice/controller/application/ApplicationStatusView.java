package dev.sluice.controller.application;

import dev.sluice.activities.application.ApplicationStatuses;
import dev.sluice.api.application.ApplicationJobStatus;
import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.application.FlinkApplicationStatus;
import dev.sluice.api.common.HandledRequests;
import dev.sluice.api.common.JobResourceStatus;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.RecordedState;
import dev.sluice.workflows.application.ApplicationRecord;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The status of a FlinkApplication in the words that are the same for every kind that has a job. No
 * snapshot is taken for it.
 *
 * @param status as it stands
 */
record ApplicationStatusView(FlinkApplicationStatus status) implements JobResourceStatus {

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
    ApplicationJobStatus job = status.jobStatus();
    return job == null ? null : JobStatus.EMPTY.withJobId(job.jobID()).withState(job.state());
  }

  /** A phase in which an operation is begun is an upgrade that is not finished. */
  @Override
  public @Nullable ReconciliationStatus reconciliationStatus() {
    ApplicationRecord record = ApplicationStatuses.record(status);
    if (record.isSettled()) {
      return record.deployed() == null
          ? null
          : ReconciliationStatus.EMPTY.withState(ReconciliationState.DEPLOYED);
    }
    return ReconciliationStatus.EMPTY.withState(
        record.phase() == ApplicationPhase.ROLLING_BACK_JOB
            ? ReconciliationState.ROLLING_BACK
            : ReconciliationState.UPGRADING);
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
    return status.deployment() == null ? null : status.deployment().state();
  }
}
