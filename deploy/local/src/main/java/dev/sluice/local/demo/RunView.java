package dev.sluice.local.demo;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A run on a lane.
 *
 * @param workflowId the lane
 * @param runId of this run
 * @param operation its workflow type, such as {@code Upgrade}
 * @param status Temporal's, such as {@code WORKFLOW_EXECUTION_STATUS_RUNNING}
 * @param attempt which attempt of the step in flight, from 1; 0 when no step is in flight
 * @param problem why the attempt before failed; empty when none did
 */
public record RunView(
    String workflowId, String runId, String operation, String status, int attempt, String problem) {

  /**
   * Reads Temporal's answer to "describe".
   *
   * @param description a {@code DescribeWorkflowExecutionResponse}
   */
  static RunView of(JsonNode description) {
    JsonNode info = description.path("workflowExecutionInfo");
    JsonNode activity = description.at("/pendingActivities/0");
    return new RunView(
        info.at("/execution/workflowId").asText(),
        info.at("/execution/runId").asText(),
        info.at("/type/name").asText(),
        info.path("status").asText(),
        activity.path("attempt").asInt(),
        activity.at("/lastFailure/message").asText());
  }

  /** Whether it goes on. */
  public boolean isOpen() {
    return status.equals("WORKFLOW_EXECUTION_STATUS_RUNNING");
  }

  /** Whether it came to its end, and neither failed nor handed the lane over. */
  public boolean isCompleted() {
    return status.equals("WORKFLOW_EXECUTION_STATUS_COMPLETED");
  }
}
