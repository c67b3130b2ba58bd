package dev.sluice.workflows.deployment;

import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** Brings the last stable spec back, from the state that was recorded before it was left. */
@WorkflowInterface
public interface Rollback extends LaneSignals {

  /** The workflow type. */
  String TYPE = "Rollback";

  /** The runbook of this operation; see {@code docs/operations.md}. */
  @WorkflowMethod(name = TYPE)
  OperationResult run(OperationInput input);
}
