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

  /** The operation after this report. The same report again changes nothing. */
  public static OperationStatus of(
      @Nullable OperationStatus current, OperationReport report, Instant now) {
    OperationStatus before = current == null ? OperationStatus.EMPTY : current;
    boolean sameRun = isOf(before, report.run());
    Step step = step(before, sameRun, report.step(), report.state(), now);
    OperationStatus kept =
        sameRun
            ? before
            : OperationStatus.EMPTY.withFromGeneration(
                goesOn(before, report) ? before.fromGeneration() : null);
    return kept.withType(type(report.run().operation()))
        .withState(report.state())
        .withStep(report.step())
        .withWorkflowId(report.run().workflowId())
        .withRunId(report.run().runId())
        .withTargetGeneration(report.targetGeneration())
        .withAttempt(step.attempt())
        .withSince(step.since())
        .withDeadline(deadline(report.deadlineMs()))
        .withReason(report.reason())
        .withMessage(report.message());
  }

  /** Another run carries a rollback or a recovery on: what is given up stays given up. */
  private static boolean goesOn(OperationStatus before, OperationReport report) {
    return before.isOpen()
        && (before.type() == OperationType.ROLLBACK || before.type() == OperationType.RECOVER)
        && before.type() == type(report.run().operation());
  }

  static boolean isOf(OperationStatus operation, RunRef run) {
    return Objects.equals(operation.runId(), run.runId());
  }

  /** RFC 3339, in whole seconds; null for null. */
  static @Nullable String deadline(@Nullable Long ms) {
    return ms == null ? null : Instant.ofEpochMilli(ms).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** When that was decided: written again, it was decided before. */
  static String plannedAt(OperationStatus before, boolean sameRun, String plan, Instant now) {
    String known = before.plannedAt();
    return sameRun && plan.equals(before.plan()) && known != null
        ? known
        : now.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** When and how often the step was begun. */
  static Step step(
      OperationStatus before,
      boolean sameRun,
      String name,
      @Nullable OperationState state,
      Instant now) {
    Step begun = new Step(1, now.truncatedTo(ChronoUnit.SECONDS).toString());
    String since = before.since();
    Integer attempt = before.attempt();
    if (!sameRun || !name.equals(before.step()) || since == null || attempt == null) {
      return begun;
    }
    boolean again = isHeld(before.state()) && state == OperationState.RUNNING;
    return again ? new Step(attempt + 1, begun.since()) : new Step(attempt, since);
  }

  private static boolean isHeld(@Nullable OperationState state) {
    return state == OperationState.PARKED || state == OperationState.BLOCKED;
  }

  /** Null for an operation that is not known here. */
  static @Nullable OperationType type(String wire) {
    return OperationType.of(wire).orElse(null);
  }

  /** Which attempt at a step this is, and since when. */
  record Step(int attempt, String since) {}
}
