package dev.sluice.workflows.operation;

import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.FailureType;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.TimeoutFailure;
import java.util.Set;

/**
 * Why a step failed.
 *
 * @param type one of {@link FailureType}, or {@link Reasons#BLOCKED}
 * @param message what failed, on what, and why
 * @param mayPass whether the cause may pass by itself
 */
public record StepFailure(String type, String message, boolean mayPass) {

  private static final Set<String> MAY_PASS =
      Set.of(
          FailureType.NOT_STABLE,
          FailureType.JOB_MANAGER_SILENT,
          FailureType.IMAGE_PULL_FAILED,
          FailureType.POD_FAILED,
          FailureType.REFUSED,
          FailureType.WRONG_KUBERNETES,
          FailureType.CLUSTER_NOT_GONE,
          FailureType.TIMED_OUT);

  private static final Set<String> NEEDS_ACTION =
      Set.of(
          FailureType.SAVEPOINT_FAILED,
          FailureType.STATE_NOT_FOUND,
          FailureType.JOB_FAILED,
          FailureType.CLUSTER_NOT_READY,
          FailureType.RESTORED_ELSEWHERE,
          FailureType.NAME_TAKEN,
          FailureType.OTHER_JOBS);

  /** What Temporal tells of it. */
  public static StepFailure of(ActivityFailure failure) {
    Throwable cause = failure.getCause();
    if (cause instanceof ApplicationFailure application) {
      return of(application, false);
    }
    if (cause instanceof TimeoutFailure timeout) {
      return timeout.getCause() instanceof ApplicationFailure last
          ? of(last, true)
          : new StepFailure(
              FailureType.TIMED_OUT,
              failure.getActivityType() + " did not end in time (" + timeout.getTimeoutType() + ")",
              true);
    }
    return new StepFailure(FailureType.TIMED_OUT, String.valueOf(failure.getMessage()), true);
  }

  /** Temporal has retried often enough; the last attempt gives the reason. */
  private static StepFailure of(ApplicationFailure failure, boolean exhausted) {
    String type = failure.getType();
    boolean needsAction = NEEDS_ACTION.contains(type);
    return new StepFailure(
        needsAction || MAY_PASS.contains(type) ? type : Reasons.BLOCKED,
        failure.getOriginalMessage(),
        exhausted || !needsAction);
  }

  /** Whether a failure is of that type. */
  public static boolean is(ActivityFailure failure, String type) {
    return failure.getCause() instanceof ApplicationFailure application
        && type.equals(application.getType());
  }
}
