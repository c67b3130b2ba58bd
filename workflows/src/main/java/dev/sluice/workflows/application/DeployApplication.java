package dev.sluice.workflows.application;

import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/**
 * Deploys the newest spec of an application: its first version, one in place of another, or one
 * next to it.
 */
@WorkflowInterface
public interface DeployApplication extends LaneSignals {

  /** The workflow type. */
  String TYPE = "DeployApplication";

  /** The runbook of this operation; see {@code docs/flinkapplication.md}. */
  @WorkflowMethod(name = TYPE)
  OperationResult run(OperationInput input);
}
