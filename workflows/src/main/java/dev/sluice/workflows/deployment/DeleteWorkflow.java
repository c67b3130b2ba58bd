package dev.sluice.workflows.deployment;

import dev.sluice.workflows.operation.InterruptedRun;
import dev.sluice.workflows.operation.InterruptedRun.Interrupt;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.OperationWorkflow;
import dev.sluice.workflows.procedure.DeleteProcedure;
import io.temporal.workflow.WorkflowInit;

/** See {@link DeleteProcedure}. */
public final class DeleteWorkflow extends OperationWorkflow implements Delete {

  /** Made before the first signal is delivered. */
  @WorkflowInit
  public DeleteWorkflow(OperationInput input) {
    super(TYPE, input, false);
  }

  @Override
  public OperationResult run(OperationInput input) {
    return carryOut(
        () -> {
          try {
            return new DeleteProcedure(context(), steps()).removeEverything();
          } catch (InterruptedRun interrupted) {
            if (interrupted.interrupt() instanceof Interrupt.Gone) {
              String why =
                  "The resource does not exist any more; Kubernetes garbage-collects what it owned.";
              context().done(why);
              return new OperationResult(OperationResult.GONE, 0, why);
            }
            throw interrupted;
          }
        });
  }
}
