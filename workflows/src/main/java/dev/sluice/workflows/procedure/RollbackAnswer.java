package dev.sluice.workflows.procedure;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.workflows.activity.ResourceActivities;
import dev.sluice.workflows.operation.HandOver;
import dev.sluice.workflows.operation.OperationContext;
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
    if (context.cancelled()) {
      // Temporal cannot continue a cancelled run as new
      dropped("because the operation was cancelled in Temporal. Request the rollback again");
      return;
    }
    boolean follows =
        answer(true, "because the operation was aborted: the last stable spec goes on");
    if (follows) {
      // a deletion and a newer spec come before it
      context.safePoint();
      HandOver.to(
          OperationType.ROLLBACK,
          context.next(givenUp, "rollback was requested", null, null).asRetry());
    }
  }

  /** Nothing follows, for that reason, which is told if something else was asked for. */
  void dropped(String why) {
    answer(false, why);
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
