package dev.sluice.activities.resource;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.workflows.resource.OperationReport;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a run says of itself, turned into {@code status.operation}. {@code since} and {@code
 * attempt} belong to the step: both start anew with each step, and a parked step that is tried
 * again is its next attempt.
 */
final class OperationChange {

  private OperationChange() {}

  /** The operation after this report. The same report again changes nothing. */
  static OperationStatus of(
      @Nullable OperationStatus current, OperationReport report, Instant now) {
    OperationStatus before = current == null ? OperationStatus.EMPTY : current;
    boolean sameRun = Objects.equals(before.runId(), report.runId());
    OperationState state = state(report.state());
    Step step = step(before, sameRun, report.step(), state, now);
    return new OperationStatus(
        type(report.operation()),
        state,
        report.step(),
        report.workflowId(),
        report.runId(),
        sameRun ? before.fromGeneration() : null,
        report.targetGeneration(),
        step.attempt(),
        step.since(),
        deadline(report.deadlineMs()),
        report.savepoint() == null ? before.savepoint() : report.savepoint(),
        report.reason(),
        report.message());
  }

  /** The same operation at another step, going on well. */
  static OperationStatus at(OperationStatus current, String name, Instant now) {
    Step step = step(current, true, name, OperationState.RUNNING, now);
    return current
        .withState(OperationState.RUNNING)
        .withStep(name)
        .withAttempt(step.attempt())
        .withSince(step.since())
        .withReason(null);
  }

  /** RFC 3339, in whole seconds; null for null. */
  static @Nullable String deadline(@Nullable Long ms) {
    return ms == null ? null : Instant.ofEpochMilli(ms).truncatedTo(ChronoUnit.SECONDS).toString();
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
    boolean again = before.state() == OperationState.PARKED && state == OperationState.RUNNING;
    return again ? new Step(attempt + 1, begun.since()) : new Step(attempt, since);
  }

  static @Nullable OperationType type(String wire) {
    return Stream.of(OperationType.values())
        .filter(type -> type.wire().equals(wire))
        .findFirst()
        .orElse(null);
  }

  private static @Nullable OperationState state(String wire) {
    return Stream.of(OperationState.values())
        .filter(state -> state.wire().equals(wire))
        .findFirst()
        .orElse(null);
  }

  /** Which attempt at a step this is, and since when. */
  record Step(int attempt, String since) {}
}
