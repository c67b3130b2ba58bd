package dev.sluice.workflows.snapshot;

import dev.sluice.api.common.OperationType;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.OperationWorkflow;
import io.temporal.workflow.WorkflowInit;

/** See {@link DisposeProcedure}. */
public final class DisposeSnapshotWorkflow extends OperationWorkflow implements DisposeSnapshot {

  private final SnapshotReports reports;

  /** Made before the first signal is delivered. */
  @WorkflowInit
  public DisposeSnapshotWorkflow(OperationInput input) {
    this(input, new SnapshotReports());
  }

  private DisposeSnapshotWorkflow(OperationInput input, SnapshotReports reports) {
    super(OperationType.DELETE.wire(), input, false, reports);
    this.reports = reports;
  }

  @Override
  public OperationResult run(OperationInput input) {
    return carryOut(() -> new DisposeProcedure(context(), steps(), reports).dispose());
  }
}
