package dev.sluice.workflows.snapshot;

import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.OperationWorkflow;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;

/** See {@link SnapshotProcedure}. */
public final class SnapshotWorkflow extends OperationWorkflow implements Snapshot {

  /** Made before the first signal is delivered. */
  @WorkflowInit
  public SnapshotWorkflow(OperationInput input) {
    super(
        TYPE,
        input,
        true,
        options -> Workflow.newActivityStub(SnapshotActivities.class, options)::report);
  }

  @Override
  public OperationResult run(OperationInput input) {
    return carryOut(() -> new SnapshotProcedure(context(), steps()).take());
  }
}
