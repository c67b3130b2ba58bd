package dev.sluice.workflows.deployment;

import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.OperationWorkflow;
import dev.sluice.workflows.procedure.UpgradeProcedure;
import io.temporal.workflow.WorkflowInit;

/** See {@link UpgradeProcedure#recovering}. */
public final class RecoverWorkflow extends OperationWorkflow implements Recover {

  /** Made before the first signal is delivered. */
  @WorkflowInit
  public RecoverWorkflow(OperationInput input) {
    super(TYPE, input, true);
  }

  @Override
  public OperationResult run(OperationInput input) {
    return carryOut(() -> UpgradeProcedure.recovering(context(), steps()).reach());
  }
}
