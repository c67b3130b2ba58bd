package dev.sluice.workflows.procedure;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.ResourceActivities;
import dev.sluice.workflows.activity.ResourceActivities.FreezeResult;
import dev.sluice.workflows.activity.ResourceActivities.FreezeResult.Frozen;
import dev.sluice.workflows.activity.ResourceActivities.FreezeStableRequest;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.OutdatedStep;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.operation.StepRunner;
import dev.sluice.workflows.procedure.Assessor.Goal;
import dev.sluice.workflows.procedure.TargetProcedure.End;
import org.jspecify.annotations.Nullable;

/**
 * The runbook of Rollback: the last stable spec again, from the state that was recorded before it
 * was left. Going back gives up what the rolled-back job has done since; going forward never does.
 */
public final class RollbackProcedure {

  private final OperationContext context;
  private final StepRunner steps;
  private final TargetProcedure target;

  /**
   * Rolls back within {@code context}.
   *
   * @param endState what {@code status.operation.state} says at the end
   */
  public RollbackProcedure(OperationContext context, StepRunner steps, OperationState endState) {
    this.context = context;
    this.steps = steps;
    this.target = new TargetProcedure(context, steps, Goal.FROZEN, endState);
  }

  /**
   * Returns when the last stable spec runs.
   *
   * @param givenUp the newest generation that is given up
   * @param handedOver the state that the operation recorded that is rolled back; null when only the
   *     resource knows it
   */
  public OperationResult lastStable(long givenUp, @Nullable StateRef handedOver) {
    if (!begin(givenUp, handedOver)) {
      String why = "No operation is begun that could be rolled back.";
      context.done(why);
      steps.reportEnd(Step.OBSERVE, why);
      return new OperationResult(OperationResult.UP_TO_DATE, 0, why);
    }
    End end = target.reach();
    Frozen stable = end instanceof End.Stable is ? is.target() : null;
    if (end instanceof End.Nothing nothing) {
      steps.reportEnd(Step.OBSERVE, nothing.why().why());
    }
    long generation = stable == null ? context.target() : stable.target().generation();
    return new OperationResult(
        OperationResult.ROLLED_BACK, generation, stable == null ? "" : stable.summary());
  }

  /** Whether Kubernetes says that the resource is being deleted. */
  public boolean isDeleted() {
    return target.observe().deleting();
  }

  /** Makes the last stable spec the target. Returns false when there is nothing to roll back. */
  private boolean begin(long givenUp, @Nullable StateRef handedOver) {
    Observation seen = target.observe();
    while (isToBeRolledBack(seen, givenUp)) {
      try {
        if (freeze(seen, handedOver)) {
          return true;
        }
        steps.hold(
            Step.FREEZE_TARGET,
            new StepFailure(
                Reasons.STATE_NOT_FOUND,
                "There is no stable spec, or no recorded state, to go back to. Apply another spec.",
                false),
            false);
        seen = target.observe();
      } catch (OutdatedStep outdated) {
        seen = target.observeAgain(outdated);
      }
    }
    return false;
  }

  /** Not when the operation has ended since, or when a newer one was begun. */
  private static boolean isToBeRolledBack(Observation seen, long givenUp) {
    return seen.phase() == Phase.ROLLING_BACK
        || (seen.begun() && seen.frozen() != null && seen.frozen().generation() <= givenUp);
  }

  /** False when there is nothing to go back to. A rollback that was begun before goes on. */
  private boolean freeze(Observation seen, @Nullable StateRef handedOver) {
    RestorePoint before = seen.recorded();
    boolean begun = seen.phase() == Phase.ROLLING_BACK;
    StateRef state = before == null ? handedOver : before.state();
    if (state == null) {
      return false;
    }
    RestorePoint recorded =
        begun && before != null
            ? before
            : RestorePoint.of(state, seen.cluster().jobId(), target.nextJobId(seen));
    FreezeResult result =
        steps.run(
            Step.FREEZE_TARGET,
            "Freeze the last stable spec, to start it from " + state.display(),
            ResourceActivities.class,
            a ->
                a.freezeStable(
                    new FreezeStableRequest(
                        context
                            .report(
                                OperationState.RUNNING,
                                Step.DELETE_CLUSTER,
                                null,
                                "Rolling back to the last stable spec, from " + state.display(),
                                EventReasons.ROLLBACK)
                            .withDeadline(context.in(StepLimits.GONE)),
                        recorded,
                        seen.standing())));
    if (!(result instanceof Frozen frozen)) {
      return false;
    }
    target.frozen(frozen);
    context.recorded(recorded);
    context.generations(seen.newest().target().generation(), frozen.target().generation());
    context.done(
        "Generation %d frozen (%s)".formatted(frozen.target().generation(), frozen.summary()));
    // whether there is metadata to go on from is decided by a look at it
    if (!begun && !recorded.isSameJob()) {
      target.tearDown(seen, state);
    }
    return true;
  }
}
