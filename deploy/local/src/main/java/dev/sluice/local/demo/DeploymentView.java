package dev.sluice.local.demo;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What a FlinkDeployment says of itself, as far as this module reads it.
 *
 * @param json the resource as the API server gave it
 */
public record DeploymentView(JsonNode json) {

  /** {@code metadata.generation}. */
  public long generation() {
    return json.at("/metadata/generation").asLong();
  }

  /** The workflow id of its operations: the lane. */
  public String lane() {
    String uid = json.at("/metadata/uid").asText();
    return "FlinkDeployment_%s_%s_%s"
        .formatted(
            json.at("/metadata/namespace").asText(),
            json.at("/metadata/name").asText(),
            uid.substring(0, Math.min(8, uid.length())));
  }

  /** Whether the newest generation is deployed and every task of its job runs. */
  public boolean ready() {
    JsonNode ready = condition("Ready");
    return ready.path("status").asText().equals("True")
        && ready.path("observedGeneration").asLong() == generation();
  }

  /** Why it is ready or not; empty when that is not known yet. */
  public String readyMessage() {
    return condition("Ready").path("message").asText();
  }

  /** Whether its operation is parked. */
  public boolean parked() {
    return json.at("/status/operation/state").asText().equals("Parked");
  }

  /** The message of the operation; empty when there is none. */
  public String operationMessage() {
    return json.at("/status/operation/message").asText();
  }

  /** Location of the savepoint of the last operation; empty when it had none. */
  public String savepoint() {
    return json.at("/status/operation/savepoint").asText();
  }

  /** The running job, 32 hex digits; empty when none is known. */
  public String jobId() {
    return json.at("/status/jobStatus/jobId").asText();
  }

  private JsonNode condition(String type) {
    for (JsonNode condition : json.at("/status/conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition;
      }
    }
    return json.at("/status/conditions/none");
  }
}
