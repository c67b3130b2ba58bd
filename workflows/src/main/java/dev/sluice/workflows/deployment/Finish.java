package dev.sluice.workflows.deployment;

import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** Keeps Kubernetes from running a finished job again, where Flink itself would not. */
@WorkflowInterface
public interface Finish extends LaneSignals {

  /** The workflow type. */
  String TYPE = "Finish";

  /** The runbook of this operation; see {@code docs/operations.md}. */
  @WorkflowMethod(name = TYPE)
  OperationResult run(OperationInput input);
}
