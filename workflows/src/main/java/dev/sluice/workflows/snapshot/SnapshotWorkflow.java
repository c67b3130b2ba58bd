package dev.sluice.workflows.snapshot;

import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.OperationWorkflow;
import io.temporal.workflow.WorkflowInit;

/** See {@link SnapshotProcedure}. */
public final class SnapshotWorkflow extends OperationWorkflow implements Snapshot {

  private final SnapshotReports reports;

  /** Made before the first signal is delivered. */
  @WorkflowInit
  public SnapshotWorkflow(OperationInput input) {
    this(input, new SnapshotReports());
  }

  private SnapshotWorkflow(OperationInput input, SnapshotReports reports) {
    super(TYPE, input, true, reports);
    this.reports = reports;
  }

  @Override
  public void giveUp(String name, String reason) {
    context().signals().abort(reason, name);
  }

  @Override
  public OperationResult run(OperationInput input) {
    return carryOut(() -> new SnapshotProcedure(context(), steps(), reports).take());
  }
}
