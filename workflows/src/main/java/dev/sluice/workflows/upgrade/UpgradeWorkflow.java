package dev.sluice.workflows.upgrade;

import dev.sluice.workflows.lane.LaneInput;
import dev.sluice.workflows.lane.LaneWorkflow;
import dev.sluice.workflows.lane.Outcome;
import io.temporal.workflow.WorkflowInit;

/** See {@link NewestSpec}. */
public final class UpgradeWorkflow extends LaneWorkflow implements Upgrade {

  /** Made before the first signal is delivered. */
  @WorkflowInit
  public UpgradeWorkflow(LaneInput input) {
    super(TYPE, input, true);
  }

  @Override
  public Outcome run(LaneInput input) {
    return carryOut(new NewestSpec(lane(), steps())::reach);
  }
}
