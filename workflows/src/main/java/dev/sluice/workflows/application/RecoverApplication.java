package dev.sluice.workflows.application;

import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** Starts the job of the deployed version again, which its cluster has lost. */
@WorkflowInterface
public interface RecoverApplication extends LaneSignals {

  /** The workflow type. */
  String TYPE = "RecoverApplication";

  /** The runbook of this operation; see {@code docs/flinkapplication.md}. */
  @WorkflowMethod(name = TYPE)
  OperationResult run(OperationInput input);
}
