package dev.sluice.workflows.rollback;

import dev.sluice.api.deployment.OperationType;
import dev.sluice.workflows.lane.HandOver;
import dev.sluice.workflows.lane.Interrupt;
import dev.sluice.workflows.lane.InterruptedRun;
import dev.sluice.workflows.lane.LaneInput;
import dev.sluice.workflows.lane.LaneWorkflow;
import dev.sluice.workflows.lane.Outcome;
import io.temporal.workflow.WorkflowInit;
import org.jspecify.annotations.Nullable;

/** See {@link Restoring}. An abort has no meaning here: this is one. */
public final class RollbackWorkflow extends LaneWorkflow implements Rollback {

  /** Made before the first signal is delivered. */
  @WorkflowInit
  public RollbackWorkflow(LaneInput input) {
    super(TYPE, input, false);
  }

  @Override
  public Outcome run(LaneInput input) {
    return carryOut(() -> goBack(input));
  }

  private Outcome goBack(LaneInput input) {
    try {
      Outcome outcome = new Restoring(lane(), steps()).lastStable(input.savepoint(), "Succeeded");
      Interrupt late = lane().requests().interrupt();
      return late == null ? outcome : leave(late, input, null);
    } catch (InterruptedRun interrupted) {
      return leave(interrupted.interrupt(), input, input.savepoint());
    }
  }

  private static Outcome leave(Interrupt interrupt, LaneInput input, @Nullable String path) {
    if (interrupt instanceof Interrupt.Newer newer) {
      return HandOver.to(
          OperationType.UPGRADE,
          new LaneInput(input.resource(), newer.generation(), "newer generation", path));
    }
    return HandOver.to(OperationType.DELETE, input);
  }
}
