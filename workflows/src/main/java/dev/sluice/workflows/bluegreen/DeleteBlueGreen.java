package dev.sluice.workflows.bluegreen;

import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** Deletes the children of a FlinkBlueGreenDeployment and releases it. */
@WorkflowInterface
public interface DeleteBlueGreen extends LaneSignals {

  /** The workflow type. */
  String TYPE = "DeleteBlueGreen";

  /** The runbook of this operation; see {@code docs/blue-green.md}. */
  @WorkflowMethod(name = TYPE)
  OperationResult run(OperationInput input);
}
