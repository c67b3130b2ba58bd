package dev.sluice.workflows.rollback;

import dev.sluice.api.common.OperationType;
import dev.sluice.workflows.operation.HandOver;
import dev.sluice.workflows.operation.Interrupt;
import dev.sluice.workflows.operation.InterruptedRun;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.OperationWorkflow;
import io.temporal.workflow.WorkflowInit;
import org.jspecify.annotations.Nullable;

/** See {@link RollbackProcedure}. An abort has no meaning here: this is one. */
public final class RollbackWorkflow extends OperationWorkflow implements Rollback {

  /** Made before the first signal is delivered. */
  @WorkflowInit
  public RollbackWorkflow(OperationInput input) {
    super(TYPE, input, false);
  }

  @Override
  public OperationResult run(OperationInput input) {
    return carryOut(() -> goBack(input));
  }

  private OperationResult goBack(OperationInput input) {
    try {
      OperationResult outcome =
          new RollbackProcedure(lane(), steps()).lastStable(input.savepoint(), "Succeeded");
      Interrupt late = lane().requests().interrupt();
      return late == null ? outcome : leave(late, input, null);
    } catch (InterruptedRun interrupted) {
      return leave(interrupted.interrupt(), input, input.savepoint());
    }
  }

  private static OperationResult leave(
      Interrupt interrupt, OperationInput input, @Nullable String path) {
    if (interrupt instanceof Interrupt.Newer newer) {
      return HandOver.to(
          OperationType.UPGRADE,
          new OperationInput(input.resource(), newer.generation(), "newer generation", path));
    }
    return HandOver.to(OperationType.DELETE, input);
  }
}
