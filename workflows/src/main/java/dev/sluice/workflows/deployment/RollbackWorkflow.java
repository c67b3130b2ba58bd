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
    RollbackProcedure procedure =
        new RollbackProcedure(
            context(),
            steps(),
            OperationState.SUCCEEDED,
            input.restorePoint() == null ? null : input.why());
    OperationResult result = null;
    try {
      result = procedure.goBack(input);
      procedure.answered(input.generation());
      context().safePoint();
      return result;
    } catch (InterruptedRun interrupted) {
      // a delete signal sent by hand must not take up again what was rolled back
      boolean byHand =
          interrupted.interrupt() instanceof Interrupt.Delete && !procedure.isDeleted();
      return result != null && byHand
          ? result
          : leave(procedure.supersededBy(interrupted.interrupt()), input);
    }
  }

  private OperationResult leave(Interrupt interrupt, OperationInput input) {
    if (interrupt instanceof Interrupt.Gone) {
      return OperationResult.gone();
    }
    if (context().cancelled()) {
      return OperationResult.cancelled(interrupt.next());
    }
    RestorePoint recorded = context().restorePoint();
    return interrupt instanceof Interrupt.Newer newer
        ? HandOver.to(
            context().forward(), input.next(newer.generation(), "newer generation", recorded))
        : HandOver.to(OperationType.DELETE, input.next(input.generation(), "deleted", recorded));
  }
}
