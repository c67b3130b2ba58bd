package dev.sluice.workflows.deployment;

import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** Removes all that a resource made, so that its finalizer can go. */
@WorkflowInterface
public interface Delete extends LaneSignals {

  /** The workflow type. */
  String TYPE = "Delete";

  /** The runbook of this operation; see {@code docs/operations.md}. */
  @WorkflowMethod(name = TYPE)
  OperationResult run(OperationInput input);
}
