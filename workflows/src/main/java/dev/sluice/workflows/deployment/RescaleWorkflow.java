package dev.sluice.workflows.deployment;

import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.OperationWorkflow;
import dev.sluice.workflows.procedure.UpgradeProcedure;
import io.temporal.workflow.WorkflowInit;

/** See {@link UpgradeProcedure#rescaling}. */
public final class RescaleWorkflow extends OperationWorkflow implements Rescale {

  /** Made before the first signal is delivered. */
  @WorkflowInit
  public RescaleWorkflow(OperationInput input) {
    super(TYPE, input, true);
  }

  @Override
  public OperationResult run(OperationInput input) {
    return carryOut(() -> UpgradeProcedure.rescaling(context(), steps()).reach());
  }
}
