package dev.sluice.activities.status;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities.RunRef;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a run says of itself, turned into {@code status.operation}. {@code since} and {@code
 * attempt} belong to the step: both start anew with each step, and a step that is begun again after
 * it was parked or blocked is its next attempt. Pure.
 */
public final class OperationChange {

  private OperationChange() {}

  /**
   * The operation after this report. The same report again changes nothing. A run that goes over to
   * another type, such as from an upgrade to its rollback, leaves the plan of the one before.
   */
  public static OperationStatus of(
      @Nullable OperationStatus current, OperationReport report, Instant now) {
    OperationStatus before = Objects.requireNonNullElse(current, OperationStatus.EMPTY);
    OperationStatus kept =
        isOf(before, report.run())
            ? before
            : OperationStatus.EMPTY.withFromGeneration(
                goesOn(before, report) ? before.fromGeneration() : null);
    OperationType type = type(report.run().operation());
    OperationStatus ofType =
        kept.type() == type ? kept : kept.withPlan(null).withPlannedAt(null).withType(type);
    return at(ofType, report.state(), report.step(), report.deadlineMs(), report.message(), now)
        .withWorkflowId(report.run().workflowId())
        .withRunId(report.run().runId())
        .withTargetGeneration(report.targetGeneration())
        .withReason(report.reason());
  }

  /** The same operation at that step, for no reason. */
  static OperationStatus at(
      OperationStatus before,
      OperationState state,
      String step,
      @Nullable Long deadlineMs,
      String message,
      Instant now) {
    boolean same = step.equals(before.step()) && before.since() != null;
    int attempt = same ? Objects.requireNonNullElse(before.attempt(), 1) : 0;
    boolean begins = !same || (isHeld(before.state()) && state == OperationState.RUNNING);
    return before
        .withState(state)
        .withStep(step)
        .withAttempt(begins ? attempt + 1 : attempt)
        .withSince(begins ? seconds(now) : before.since())
        .withDeadline(deadlineMs == null ? null : seconds(Instant.ofEpochMilli(deadlineMs)))
        .withReason(null)
        .withMessage(message);
  }

  /** With what is being done and why; decided again, it was decided before. */
  static OperationStatus planned(OperationStatus operation, String plan, Instant now) {
    boolean known = plan.equals(operation.plan()) && operation.plannedAt() != null;
    return known ? operation : operation.withPlan(plan).withPlannedAt(seconds(now));
  }

  /** RFC 3339, in whole seconds. */
  static String seconds(Instant at) {
    return at.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** Another run carries a rollback or a recovery on: what is given up stays given up. */
  private static boolean goesOn(OperationStatus before, OperationReport report) {
    return before.isOpen()
        && mayGiveUp(before.type())
        && before.type() == type(report.run().operation());
  }

  /** Whether the target is an older spec, for which a newer one may be given up. */
  static boolean mayGiveUp(@Nullable OperationType type) {
    return type == OperationType.ROLLBACK || type == OperationType.RECOVER;
  }

  static boolean isOf(OperationStatus operation, RunRef run) {
    return Objects.equals(operation.runId(), run.runId());
  }

  private static boolean isHeld(@Nullable OperationState state) {
    return state == OperationState.PARKED || state == OperationState.BLOCKED;
  }

  /** Null for an operation that is not known here. */
  static @Nullable OperationType type(String wire) {
    return OperationType.of(wire).orElse(null);
  }
}
