package dev.sluice.workflows.application;

import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** Removes one of the two versions of an application that run. */
@WorkflowInterface
public interface TearDownVersion extends LaneSignals {

  /** The workflow type. */
  String TYPE = "TearDownVersion";

  /** The runbook of this operation; see {@code docs/flinkapplication.md}. */
  @WorkflowMethod(name = TYPE)
  OperationResult run(OperationInput input);
}
