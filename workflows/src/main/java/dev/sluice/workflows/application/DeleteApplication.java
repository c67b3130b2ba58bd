package dev.sluice.workflows.application;

import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** Ends the jobs of an application as it says, and removes all that it made. */
@WorkflowInterface
public interface DeleteApplication extends LaneSignals {

  /** The workflow type. */
  String TYPE = "DeleteApplication";

  /** The runbook of this operation; see {@code docs/flinkapplication.md}. */
  @WorkflowMethod(name = TYPE)
  OperationResult run(OperationInput input);
}
