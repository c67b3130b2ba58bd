package dev.sluice.workflows.deploy;

import dev.sluice.workflows.lane.LaneInput;
import dev.sluice.workflows.lane.LaneWorkflow;
import dev.sluice.workflows.lane.Outcome;
import dev.sluice.workflows.upgrade.NewestSpec;
import io.temporal.workflow.WorkflowInit;

/** See {@link NewestSpec}. */
public final class DeployWorkflow extends LaneWorkflow implements Deploy {

  /** Made before the first signal is delivered. */
  @WorkflowInit
  public DeployWorkflow(LaneInput input) {
    super(TYPE, input, true);
  }

  @Override
  public Outcome run(LaneInput input) {
    return carryOut(new NewestSpec(lane(), steps())::reach);
  }
}
