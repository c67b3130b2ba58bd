package dev.sluice.workflows.bluegreen;

import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** Brings a FlinkBlueGreenDeployment to its newest spec: replaces the live child, or changes it. */
@WorkflowInterface
public interface Transition extends LaneSignals {

  /** The workflow type. */
  String TYPE = "Transition";

  /** The runbook of this operation; see {@code docs/blue-green.md}. */
  @WorkflowMethod(name = TYPE)
  OperationResult run(OperationInput input);
}
