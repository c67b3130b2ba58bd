package dev.sluice.workflows.deployment;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.operation.HandOver;
import dev.sluice.workflows.operation.InterruptedRun;
import dev.sluice.workflows.operation.InterruptedRun.Interrupt;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.OperationWorkflow;
import dev.sluice.workflows.procedure.RollbackProcedure;
import io.temporal.workflow.WorkflowInit;

/** See {@link RollbackProcedure}. An abort has no meaning here: this is one. */
public final class RollbackWorkflow extends OperationWorkflow implements Rollback {

  /** Made before the first signal is delivered. */
  @WorkflowInit
  public RollbackWorkflow(OperationInput input) {
    super(TYPE, input, false);
  }

  @Override
  public OperationResult run(OperationInput input) {
    return carryOut(() -> rollBack(input));
  }

  private OperationResult rollBack(OperationInput input) {
    RestorePoint recorded = input.restorePoint();
    try {
      OperationResult result =
          new RollbackProcedure(context(), steps(), OperationState.SUCCEEDED)
              .lastStable(input.generation(), recorded == null ? null : recorded.state());
      context().safePoint();
      return result;
    } catch (InterruptedRun interrupted) {
      return leave(interrupted.interrupt(), input);
    }
  }

  private OperationResult leave(Interrupt interrupt, OperationInput input) {
    if (interrupt instanceof Interrupt.Gone) {
      return new OperationResult(OperationResult.GONE, 0, "The resource does not exist any more.");
    }
    if (context().cancelled()) {
      return new OperationResult(
          OperationResult.ABORTED, 0, "Cancelled; still to do: " + interrupt);
    }
    RestorePoint recorded = context().restorePoint();
    return interrupt instanceof Interrupt.Newer newer
        ? HandOver.to(
            OperationType.UPGRADE,
            input.next(newer.generation(), "newer generation", recorded, null))
        : HandOver.to(
            OperationType.DELETE, input.next(input.generation(), "deleted", recorded, null));
  }
}
