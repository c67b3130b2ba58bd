package dev.sluice.workflows.procedure;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.workflows.activity.ResourceActivities;
import dev.sluice.workflows.activity.ResourceActivities.ObserveRequest;
import dev.sluice.workflows.operation.HandOver;
import dev.sluice.workflows.operation.InterruptedRun;
import dev.sluice.workflows.operation.InterruptedRun.Interrupt;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepRunner;

/**
 * The end of a rollback request that came while an operation was open, and was carried out as an
 * abort.
 */
final class RollbackAnswer {

  private final OperationContext context;
  private final StepRunner steps;

  RollbackAnswer(OperationContext context, StepRunner steps) {
    this.context = context;
    this.steps = steps;
  }

  /**
   * Returns when the abort was all that was asked for. Otherwise a run of its own goes back
   * further.
   *
   * @param givenUp the newest generation
   */
  void followed(long givenUp) {
    // a request that comes while one is answered is another one
    while (context.rollbackAsked() && !context.cancelled()) {
      asked();
      boolean follows =
          answer(true, "because the operation was aborted: the last stable spec goes on");
      context.answersRollback(follows);
      if (follows) {
        carriedOut(givenUp);
      }
    }
    if (context.rollbackAsked()) {
      cancelled();
    }
  }

  /**
   * A run of its own goes back. A deletion and a newer spec come before it. Returns when this run
   * cannot hand over.
   *
   * @param givenUp the newest generation
   */
  void carriedOut(long givenUp) {
    asked();
    safePoint();
    if (context.cancelled()) {
      cancelled();
      return;
    }
    OperationResult unused =
        HandOver.to(
            OperationType.ROLLBACK,
            context.next(givenUp, "rollback was requested", null).asRetry());
  }

  private void cancelled() {
    // Temporal cannot continue a cancelled run as new
    dropped("because the operation was cancelled in Temporal. Request the rollback again");
  }

  /** A delete signal sent by hand must not take up again what was given up. */
  private void safePoint() {
    try {
      context.safePoint();
    } catch (InterruptedRun interrupted) {
      if (!(interrupted.interrupt() instanceof Interrupt.Delete) || isDeleted()) {
        throw interrupted;
      }
      context.signals().deleteTaken();
      context.safePoint();
    }
  }

  private boolean isDeleted() {
    return steps
        .run(
            Step.OBSERVE,
            "Look whether the resource is being deleted",
            ResourceActivities.class,
            a -> a.observe(new ObserveRequest(context.resource(), 0)))
        .deleting();
  }

  /** A newer spec comes first: the request, if there is one, is answered by that. */
  void superseded() {
    if (context.rollbackAsked()) {
      asked();
      dropped("because a newer spec came first");
      context.safePoint();
    }
  }

  /**
   * Answers the request if a newer spec comes before it.
   *
   * @return what the run is left for: what is asked for meanwhile wins, also a newer spec that
   *     comes while the answer could not be written yet
   */
  Interrupt supersededBy(Interrupt first) {
    if (!(first instanceof Interrupt.Newer)) {
      return first;
    }
    try {
      superseded();
      return first;
    } catch (InterruptedRun again) {
      return supersededBy(again.interrupt());
    }
  }

  /** From here on: whatever comes before the answer has to give it. */
  private void asked() {
    context.answersRollback(true);
    context.signals().abortTaken();
  }

  /** Nothing follows, for that reason, which is told if something else was asked for. */
  void dropped(String why) {
    answer(false, why);
    context.answersRollback(false);
  }

  private boolean answer(boolean mayFollow, String why) {
    return steps.run(
        Step.REPORT,
        "Answer the rollback request",
        ResourceActivities.class,
        a ->
            a.answerRollback(
                context.report(
                    OperationState.ABORTED, Step.REPORT, null, why, EventReasons.REQUEST_IGNORED),
                mayFollow));
  }
}
