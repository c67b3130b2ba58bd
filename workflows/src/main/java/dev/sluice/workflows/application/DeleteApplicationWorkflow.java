package dev.sluice.workflows.application;

import dev.sluice.api.common.OperationType;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.OperationWorkflow;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;

/** See {@link DeleteApplicationProcedure}. */
public final class DeleteApplicationWorkflow extends OperationWorkflow
    implements DeleteApplication {

  /** Made before the first signal is delivered. */
  @WorkflowInit
  public DeleteApplicationWorkflow(OperationInput input) {
    super(
        OperationType.DELETE.wire(),
        input,
        false,
        options -> Workflow.newActivityStub(ApplicationActivities.class, options)::report);
  }

  @Override
  public OperationResult run(OperationInput input) {
    return carryOut(() -> new DeleteApplicationProcedure(context(), steps()).removeEverything());
  }
}
