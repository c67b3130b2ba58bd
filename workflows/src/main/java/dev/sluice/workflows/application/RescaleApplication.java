package dev.sluice.workflows.application;

import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** Runs the job of an application with a higher parallelism, on the cluster that it is on. */
@WorkflowInterface
public interface RescaleApplication extends LaneSignals {

  /** The workflow type. */
  String TYPE = "RescaleApplication";

  /** The runbook of this operation; see {@code docs/flinkapplication.md}. */
  @WorkflowMethod(name = TYPE)
  OperationResult run(OperationInput input);
}
