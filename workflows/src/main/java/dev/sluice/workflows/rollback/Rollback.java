package dev.sluice.workflows.rollback;

import dev.sluice.workflows.lane.Lane;
import dev.sluice.workflows.lane.LaneInput;
import dev.sluice.workflows.lane.Outcome;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** Brings the last stable spec back, from the state that was taken before it was given up. */
@WorkflowInterface
public interface Rollback extends Lane {

  /** The workflow type. */
  String TYPE = "Rollback";

  /** The runbook of this operation; see {@code docs/operations.md}. */
  @WorkflowMethod(name = TYPE)
  Outcome run(LaneInput input);
}
