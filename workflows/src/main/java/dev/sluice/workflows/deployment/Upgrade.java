package dev.sluice.workflows.deployment;

import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** Takes a resource from the deployed spec to a newer one, with its state. */
@WorkflowInterface
public interface Upgrade extends LaneSignals {

  /** The workflow type. */
  String TYPE = "Upgrade";

  /** The runbook of this operation; see {@code docs/operations.md}. */
  @WorkflowMethod(name = TYPE)
  OperationResult run(OperationInput input);
}
