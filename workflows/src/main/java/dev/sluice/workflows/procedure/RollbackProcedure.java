package dev.sluice.workflows.procedure;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.FreezeResult;
import dev.sluice.workflows.activity.FreezeResult.Frozen;
import dev.sluice.workflows.activity.ResourceActivities;
import dev.sluice.workflows.activity.ResourceActivities.FreezeRevisionRequest;
import dev.sluice.workflows.activity.ResourceActivities.FreezeStableRequest;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.InterruptedRun.Interrupt;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.OutdatedStep;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.operation.StepRunner;
import dev.sluice.workflows.plan.Plan;
import dev.sluice.workflows.procedure.Assessor.Goal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The runbook of Rollback: the last stable spec again, or an earlier one that was requested, from
 * the state that was recorded before it was left. Going back gives up what the rolled-back job has
 * done since; going forward never does.
 */
public final class RollbackProcedure {

  private final OperationContext context;
  private final StepRunner steps;
  private final TargetProcedure target;
  private final @Nullable String why;
  private final RollbackAnswer answer;

  /**
   * Rolls back within {@code context}.
   *
   * @param endState what {@code status.operation.state} says at the end
   * @param why the newer spec was given up; null when that is not known
   */
  public RollbackProcedure(
      OperationContext context, StepRunner steps, OperationState endState, @Nullable String why) {
    this.context = context;
    this.steps = steps;
    this.target = new TargetProcedure(context, steps, Goal.FROZEN, new Ending(endState, why));
    this.why = why;
    this.answer = new RollbackAnswer(context, steps);
  }

  /**
   * Returns when the last stable spec runs, or the earlier one that was requested.
   *
   * @param input of the run: the newest generation, which is given up; the state that the operation
   *     recorded that is rolled back; and whether a rollback was requested
   */
  public OperationResult goBack(OperationInput input) {
    Observation seen = target.observe();
    boolean begun = seen.phase() == Phase.ROLLING_BACK;
    Observation.Target frozen = seen.frozen();
    boolean toRevision =
        begun
            ? frozen != null && !Objects.equals(frozen.generation(), seen.stableGeneration())
            : input.retry() && !seen.begun();
    RestorePoint handedOver = input.restorePoint();
    context.answersRollback(input.rollbackAsked() || input.retry());
    return toRevision
        ? toRevision(seen)
        : lastStable(
            seen, input.generation(), handedOver == null ? null : handedOver.leftByStable());
  }

  /**
   * Returns when the rollback request, if there is one that was carried out as an abort, or came
   * since, is answered. Otherwise a run of its own goes back further.
   *
   * @param givenUp the newest generation
   */
  public void answered(long givenUp) {
    if (context.rollbackAsked()) {
      answer.followed(givenUp);
    }
  }

  /** As {@link RollbackAnswer#supersededBy}. */
  public Interrupt supersededBy(Interrupt first) {
    return answer.supersededBy(first);
  }

  /** To what was requested: the job goes only after the spec and its state are frozen. */
  private OperationResult toRevision(Observation first) {
    Observation seen = first;
    while (true) {
      try {
        FreezeResult result = freezeRevision(seen);
        if (context.input().retry()) {
          // with the freeze, or its refusal; what came since is another one
          context.answersRollback(false);
        }
        if (result instanceof Frozen frozen) {
          target.frozen(frozen);
          context.generations(seen.newest().target().generation(), frozen.target().generation());
          context.done(
              "Generation %d frozen (%s)"
                  .formatted(frozen.target().generation(), frozen.summary()));
          return reached(target.reach());
        }
        return refused(((FreezeResult.Invalid) result).problem());
      } catch (OutdatedStep outdated) {
        seen = target.observeAgain(outdated);
      }
    }
  }

  private FreezeResult freezeRevision(Observation seen) {
    return steps.run(
        Step.FREEZE_TARGET,
        "Freeze the spec that the user goes back to",
        ResourceActivities.class,
        a ->
            a.freezeRevision(
                new FreezeRevisionRequest(
                    context.report(
                        OperationState.RUNNING,
                        Step.CANCEL_JOB,
                        null,
                        "Rolling back" + (why == null ? "" : " (" + why + ")"),
                        EventReasons.ROLLBACK),
                    seen.cluster().jobId(),
                    target.nextJobId(seen),
                    seen.standing())));
  }

  /** Nothing was changed. */
  private OperationResult refused(String problem) {
    String message = "Not rolled back: " + problem;
    steps.report(context.aborted(Step.FREEZE_TARGET, message));
    context.done(message);
    return new OperationResult(OperationResult.ABORTED, 0, message);
  }

  /**
   * Returns when the last stable spec runs.
   *
   * @param givenUp the newest generation that is given up
   * @param handedOver the state that the operation recorded that is rolled back; null when only the
   *     resource knows it
   */
  OperationResult lastStable(long givenUp, @Nullable StateRef handedOver) {
    return lastStable(target.observe(), givenUp, handedOver);
  }

  private OperationResult lastStable(
      Observation seen, long givenUp, @Nullable StateRef handedOver) {
    if (!begin(seen, givenUp, handedOver)) {
      String nothing = "No operation is begun that could be rolled back.";
      context.done(nothing);
      steps.reportEnd(Step.OBSERVE, nothing);
      return new OperationResult(OperationResult.UP_TO_DATE, 0, nothing);
    }
    return reached(target.reach());
  }

  private OperationResult reached(End end) {
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
  private boolean begin(Observation first, long givenUp, @Nullable StateRef handedOver) {
    Observation seen = first;
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
    StateRef state = before == null ? handedOver : begun ? before.state() : before.leftByStable();
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
                                JobPlace.of(context, steps).endStep(),
                                null,
                                "Rolling back to the last stable spec, from "
                                    + state.display()
                                    + (why == null ? "" : ": " + why),
                                EventReasons.ROLLBACK)
                            .withDeadlineMs(context.in(StepLimits.GONE)),
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
    // whether there is metadata to go on from is decided by a look at it, and so is what becomes of
    // the jobs on a session cluster
    if (!begun && !recorded.isSameJob() && !frozen.target().session()) {
      target.tearDown(seen, Plan.Teardown.Replace.of(seen.cluster()), state);
    }
    return true;
  }
}
