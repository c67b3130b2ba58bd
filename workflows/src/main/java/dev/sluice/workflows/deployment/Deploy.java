package dev.sluice.workflows.deployment;

import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** Starts a resource that never ran. */
@WorkflowInterface
public interface Deploy extends LaneSignals {

  /** The workflow type. */
  String TYPE = "Deploy";

  /** The runbook of this operation; see {@code docs/operations.md}. */
  @WorkflowMethod(name = TYPE)
  OperationResult run(OperationInput input);
}
