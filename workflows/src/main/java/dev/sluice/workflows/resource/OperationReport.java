package dev.sluice.workflows.resource;

import org.jspecify.annotations.Nullable;

/**
 * What a run writes into {@code status.operation}.
 *
 * @param resource whose status
 * @param operation workflow type
 * @param workflowId of the run
 * @param runId of the run
 * @param state {@code Running}, {@code Parked}, {@code Succeeded}, {@code Aborted} or {@code
 *     Failed}
 * @param step the step in flight, or the last one
 * @param targetGeneration the generation to reach
 * @param savepoint what was taken or restored; null leaves what is there
 * @param reason a documented constant; null when all is well
 * @param message one line for people
 * @param event the reason of the Kubernetes event to emit; null for none
 * @param deadlineMs when the step in flight is given up, ms since the epoch; null when it is short,
 *     or nothing is in flight
 */
public record OperationReport(
    ResourceRef resource,
    String operation,
    String workflowId,
    String runId,
    String state,
    String step,
    long targetGeneration,
    @Nullable String savepoint,
    @Nullable String reason,
    String message,
    @Nullable String event,
    @Nullable Long deadlineMs) {

  /** The same, of a step that is given up then. */
  public OperationReport withDeadline(long ms) {
    return new OperationReport(
        resource,
        operation,
        workflowId,
        runId,
        state,
        step,
        targetGeneration,
        savepoint,
        reason,
        message,
        event,
        ms);
  }
}
