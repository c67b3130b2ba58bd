package dev.sluice.workflows.bluegreen;

import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.OperationWorkflow;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;

/** See {@link TransitionProcedure}. */
public final class TransitionWorkflow extends OperationWorkflow implements Transition {

  /** Made before the first signal is delivered. */
  @WorkflowInit
  public TransitionWorkflow(OperationInput input) {
    super(
        TYPE,
        input,
        true,
        options -> Workflow.newActivityStub(BlueGreenActivities.class, options)::report);
  }

  @Override
  public OperationResult run(OperationInput input) {
    return carryOut(() -> new TransitionProcedure(context(), steps()).reach());
  }
}
