package dev.sluice.workflows.deployment;

import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.OperationWorkflow;
import dev.sluice.workflows.procedure.UpgradeProcedure;
import io.temporal.workflow.WorkflowInit;

/** See {@link UpgradeProcedure}. */
public final class ResumeWorkflow extends OperationWorkflow implements Resume {

  /** Made before the first signal is delivered. */
  @WorkflowInit
  public ResumeWorkflow(OperationInput input) {
    super(TYPE, input, true);
  }

  @Override
  public OperationResult run(OperationInput input) {
    return carryOut(() -> new UpgradeProcedure(context(), steps()).reach());
  }
}
