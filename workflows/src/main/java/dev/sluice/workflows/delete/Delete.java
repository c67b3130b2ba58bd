package dev.sluice.workflows.delete;

import dev.sluice.workflows.lane.Lane;
import dev.sluice.workflows.lane.LaneInput;
import dev.sluice.workflows.lane.Outcome;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** Removes all that a resource made, so that its finalizer can go. */
@WorkflowInterface
public interface Delete extends Lane {

  /** The workflow type. */
  String TYPE = "Delete";

  /** The runbook of this operation; see {@code docs/operations.md}. */
  @WorkflowMethod(name = TYPE)
  Outcome run(LaneInput input);
}
