package dev.sluice.workflows.operation;

import io.temporal.workflow.ContinueAsNewOptions;
import io.temporal.workflow.Workflow;

/**
 * Hands the lane from one operation to the next by continue-as-new: the same workflow id, a new run
 * that reads well on its own, and no moment in which another run could start.
 */
public final class HandOver {

  private HandOver() {}

  /**
   * Ends this run and starts one of that workflow type in its place. Does not return. Waits for
   * nothing: a signal that comes between the input and this would be lost.
   */
  public static OperationResult to(String type, OperationInput input) {
    Workflow.continueAsNew(
        type,
        ContinueAsNewOptions.newBuilder()
            .setTypedSearchAttributes(OperationAttributes.of(input.resource(), type))
            .build(),
        input);
    throw new IllegalStateException("continue-as-new returned");
  }
}
