package dev.sluice.activities.status;

import dev.sluice.activities.async.WaitReporter.Waiting;
import dev.sluice.api.common.BoundedText;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.workflows.operation.Step;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a run waits for, in the operation of a resource of any kind: only in that of the run itself,
 * and only while it is at work. Pure.
 */
public final class WaitMessage {

  private static final int LONGEST = 1024;

  private WaitMessage() {}

  /** An operation that says it; the same when it is not that run's to say. */
  public static OperationStatus in(OperationStatus operation, Waiting waiting, String text) {
    if (!Objects.equals(operation.runId(), waiting.runId()) || !isAtWork(operation.state())) {
      return operation;
    }
    OperationStatus told = operation.withMessage(BoundedText.of(text, LONGEST));
    return isAnotherStep(operation, waiting.activity())
        ? told.withStep(waiting.activity()).withSince(waiting.since().toString())
        : told;
  }

  /** Short steps are not written when they begin: one that takes long says its own name. */
  private static boolean isAnotherStep(OperationStatus operation, String activity) {
    return !activity.equals(operation.step())
        && Stream.of(Step.values()).anyMatch(step -> step.title().equals(activity));
  }

  private static boolean isAtWork(@Nullable OperationState state) {
    return state == OperationState.RUNNING || state == OperationState.BLOCKED;
  }
}
