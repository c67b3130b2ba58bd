package dev.sluice.workflows.operation;

import dev.sluice.api.common.OperationType;
import io.temporal.workflow.ContinueAsNewOptions;
import io.temporal.workflow.Workflow;

/**
 * Hands the lane from one operation to the next by continue-as-new: the same workflow id, a new run
 * that reads well on its own, and no moment in which another run could start.
 */
public final class HandOver {

  private HandOver() {}

  /**
   * Ends this run and starts one of {@code operation} in its place. Does not return. Waits for
   * nothing: a signal that comes between the input and this would be lost.
   */
  public static OperationResult to(OperationType operation, OperationInput input) {
    String type = OperationTable.workflowType(input.resource(), operation);
    Workflow.continueAsNew(
        type,
        ContinueAsNewOptions.newBuilder()
            .setTypedSearchAttributes(OperationAttributes.of(input.resource(), type))
            .build(),
        input);
    throw new IllegalStateException("continue-as-new returned");
  }
}
