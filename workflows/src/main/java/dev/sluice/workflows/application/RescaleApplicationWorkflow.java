package dev.sluice.workflows.application;

import dev.sluice.api.common.OperationType;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.OperationWorkflow;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;

/** See {@link ApplicationProcedure}. */
public final class RescaleApplicationWorkflow extends OperationWorkflow
    implements RescaleApplication {

  /** Made before the first signal is delivered. */
  @WorkflowInit
  public RescaleApplicationWorkflow(OperationInput input) {
    super(
        OperationType.RESCALE.wire(),
        input,
        true,
        options -> Workflow.newActivityStub(ApplicationActivities.class, options)::report);
  }

  @Override
  public OperationResult run(OperationInput input) {
    return carryOut(
        () -> new ApplicationProcedure(OperationType.RESCALE, context(), steps()).reach());
  }
}
