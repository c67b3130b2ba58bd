package dev.sluice.workflows.deployment;

import dev.sluice.api.common.OperationType;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationWorkflow;
import io.temporal.common.converter.EncodedValues;
import io.temporal.workflow.DynamicWorkflow;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;

/**
 * Every operation of a FlinkDeployment and a FlinkSessionJob. The workflow type says what a run was
 * started for, and is the name of an {@link OperationType}; {@link OperationLoop} carries all of
 * them out. See {@code docs/operations.md}.
 */
public final class Operations extends OperationWorkflow implements DynamicWorkflow {

  /** Made before the first signal is delivered. */
  @WorkflowInit
  public Operations(EncodedValues arguments) {
    super(Workflow.getInfo().getWorkflowType(), arguments.get(0, OperationInput.class), true);
  }

  @Override
  public Object execute(EncodedValues arguments) {
    return carryOut(new OperationLoop(context(), steps())::run);
  }
}
