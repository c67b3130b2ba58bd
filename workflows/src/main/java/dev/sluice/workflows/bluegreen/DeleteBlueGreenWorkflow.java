package dev.sluice.workflows.bluegreen;

import dev.sluice.api.common.OperationType;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.OperationWorkflow;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;

/** See {@link DeleteBlueGreenProcedure}. */
public final class DeleteBlueGreenWorkflow extends OperationWorkflow implements DeleteBlueGreen {

  /** Made before the first signal is delivered. */
  @WorkflowInit
  public DeleteBlueGreenWorkflow(OperationInput input) {
    super(
        OperationType.DELETE.wire(),
        input,
        false,
        options -> Workflow.newActivityStub(BlueGreenActivities.class, options)::report);
  }

  @Override
  public OperationResult run(OperationInput input) {
    return carryOut(() -> new DeleteBlueGreenProcedure(context(), steps()).removeEverything());
  }
}
