package dev.sluice.workflows.upgrade;

import dev.sluice.workflows.lane.Lane;
import dev.sluice.workflows.lane.LaneInput;
import dev.sluice.workflows.lane.Outcome;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** Takes a resource from the generation that runs to a newer one, with its state. */
@WorkflowInterface
public interface Upgrade extends Lane {

  /** The workflow type. */
  String TYPE = "Upgrade";

  /** The runbook of this operation; see {@code docs/operations.md}. */
  @WorkflowMethod(name = TYPE)
  Outcome run(LaneInput input);
}
