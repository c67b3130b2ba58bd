package dev.sluice.workflows.snapshot;

import dev.sluice.api.common.OperationType;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.OperationWorkflow;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;

/** See {@link DisposeProcedure}. */
public final class DisposeSnapshotWorkflow extends OperationWorkflow implements DisposeSnapshot {

  /** Made before the first signal is delivered. */
  @WorkflowInit
  public DisposeSnapshotWorkflow(OperationInput input) {
    super(
        OperationType.DELETE.wire(),
        input,
        false,
        options -> Workflow.newActivityStub(SnapshotActivities.class, options)::report);
  }

  @Override
  public OperationResult run(OperationInput input) {
    return carryOut(() -> new DisposeProcedure(context(), steps()).dispose());
  }
}
