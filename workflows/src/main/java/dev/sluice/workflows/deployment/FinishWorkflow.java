package dev.sluice.workflows.deployment;

import dev.sluice.api.common.OperationType;
import dev.sluice.workflows.operation.HandOver;
import dev.sluice.workflows.operation.InterruptedRun;
import dev.sluice.workflows.operation.InterruptedRun.Interrupt;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.OperationWorkflow;
import dev.sluice.workflows.procedure.FinishProcedure;
import io.temporal.workflow.WorkflowInit;

/** See {@link FinishProcedure}. */
public final class FinishWorkflow extends OperationWorkflow implements Finish {

  /** Made before the first signal is delivered. */
  @WorkflowInit
  public FinishWorkflow(OperationInput input) {
    super(TYPE, input, false);
  }

  @Override
  public OperationResult run(OperationInput input) {
    return carryOut(() -> finish(input));
  }

  private OperationResult finish(OperationInput input) {
    FinishProcedure procedure = new FinishProcedure(context(), steps());
    try {
      OperationResult result = procedure.finish();
      procedure.handOver();
      return result;
    } catch (InterruptedRun interrupted) {
      Interrupt interrupt = procedure.supersededBy(interrupted.interrupt());
      if (interrupt instanceof Interrupt.Gone) {
        return OperationResult.gone();
      }
      if (context().cancelled()) {
        return OperationResult.cancelled(interrupt.next());
      }
      return interrupt instanceof Interrupt.Newer newer
          ? HandOver.to(
              context().forward(), input.next(newer.generation(), "newer generation", null))
          : HandOver.to(OperationType.DELETE, input.next(input.generation(), "deleted", null));
    }
  }
}
