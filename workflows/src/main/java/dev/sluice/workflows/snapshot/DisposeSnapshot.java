package dev.sluice.workflows.snapshot;

import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** Has Flink delete the files of a savepoint whose resource is being deleted. */
@WorkflowInterface
public interface DisposeSnapshot extends LaneSignals {

  /** The workflow type. */
  String TYPE = "DisposeSnapshot";

  /** The runbook of this operation; see {@code docs/snapshots.md}. */
  @WorkflowMethod(name = TYPE)
  OperationResult run(OperationInput input);
}
