package dev.sluice.workflows.rollback;

import dev.sluice.workflows.operation.FailureType;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.operation.Steps;
import dev.sluice.workflows.resource.FrozenTarget;
import dev.sluice.workflows.resource.ResourceActivities;
import dev.sluice.workflows.restore.ClusterReplacement;
import org.jspecify.annotations.Nullable;

/** The runbook of Rollback: the last stable spec again, from the state taken before it was left. */
final class RollbackProcedure {

  private final OperationContext run;
  private final Steps steps;

  RollbackProcedure(OperationContext run, Steps steps) {
    this.run = run;
    this.steps = steps;
  }

  /**
   * @param path the state to restore from; null when the operation given up was stateless
   * @param endState what {@code status.operation.state} says at the end
   */
  OperationResult lastStable(@Nullable String path, String endState) {
    FrozenTarget stable = freezeStable();
    while (!stable.valid()) {
      steps.park(
          Step.FREEZE_TARGET,
          FailureType.STATE_NOT_FOUND,
          "there is no stable spec in the status to go back to");
      stable = freezeStable();
    }
    run.savepoint(path);
    steps.done("generation " + stable.generation() + " frozen: " + stable.summary());
    new ClusterReplacement(run, steps).run(stable, path, endState);
    return new OperationResult(OperationResult.ROLLED_BACK, stable.generation(), stable.summary());
  }

  private FrozenTarget freezeStable() {
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
