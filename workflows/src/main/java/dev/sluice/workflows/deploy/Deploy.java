package dev.sluice.workflows.deploy;

import dev.sluice.workflows.lane.Lane;
import dev.sluice.workflows.lane.LaneInput;
import dev.sluice.workflows.lane.Outcome;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** Brings a resource that never ran to running. */
@WorkflowInterface
public interface Deploy extends Lane {

  /** The workflow type. */
  String TYPE = "Deploy";

  /** The runbook of this operation; see {@code docs/operations.md}. */
  @WorkflowMethod(name = TYPE)
  Outcome run(LaneInput input);
}
