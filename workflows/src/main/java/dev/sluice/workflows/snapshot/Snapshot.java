package dev.sluice.workflows.snapshot;

import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** Takes a savepoint or checkpoint of a job that runs on; disposes of one that is deleted. */
@WorkflowInterface
public interface Snapshot extends LaneSignals {

  /** The workflow type. */
  String TYPE = "Snapshot";

  /** The runbook of this operation; see {@code docs/snapshots.md}. */
  @WorkflowMethod(name = TYPE)
  OperationResult run(OperationInput input);
}
