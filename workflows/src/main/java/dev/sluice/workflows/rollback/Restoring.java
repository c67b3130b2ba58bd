package dev.sluice.workflows.rollback;

import dev.sluice.workflows.lane.FailureType;
import dev.sluice.workflows.lane.LaneRun;
import dev.sluice.workflows.lane.Outcome;
import dev.sluice.workflows.lane.Step;
import dev.sluice.workflows.lane.StepLimits;
import dev.sluice.workflows.lane.Steps;
import dev.sluice.workflows.resource.Frozen;
import dev.sluice.workflows.resource.ResourceActivities;
import dev.sluice.workflows.restore.ClusterRestore;
import org.jspecify.annotations.Nullable;

/** The runbook of Rollback: the last stable spec again, from the state taken before it was left. */
final class Restoring {

  private final LaneRun run;
  private final Steps steps;

  Restoring(LaneRun run, Steps steps) {
    this.run = run;
    this.steps = steps;
  }

  /**
   * @param path the state to restore from; null when the operation given up was stateless
   * @param endState what {@code status.operation.state} says at the end
   */
  Outcome lastStable(@Nullable String path, String endState) {
    Frozen stable = freezeStable();
    while (!stable.valid()) {
      steps.park(
          Step.FREEZE_TARGET,
          FailureType.STATE_NOT_FOUND,
          "there is no stable spec in the status to go back to");
      stable = freezeStable();
    }
    run.savepoint(path);
    steps.done("generation " + stable.generation() + " frozen: " + stable.summary());
    new ClusterRestore(run, steps).run(stable, path, endState);
    return new Outcome(Outcome.ROLLED_BACK, stable.generation(), stable.summary());
  }

  private Frozen freezeStable() {
    return steps.effect(
        Step.FREEZE_TARGET,
        "freeze the last stable spec",
        ResourceActivities.class,
        a ->
            a.freezeStable(
                steps
                    .report("Running", Step.DELETE_CLUSTER, null, "going back", null)
                    .withDeadline(run.in(StepLimits.GONE))));
  }
}
