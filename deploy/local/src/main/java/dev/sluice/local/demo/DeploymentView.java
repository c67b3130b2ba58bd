package dev.sluice.local.demo;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;

/**
 * What a FlinkDeployment says of itself, as far as this module reads it.
 *
 * @param json the resource as the API server gave it
 */
public record DeploymentView(JsonNode json) {
  private static final Set<String> FAILED = Set.of("Parked", "Aborted", "Failed");

  /** Whether the newest generation is deployed and every task of its job runs. */
  public boolean isReady() {
    JsonNode ready = readyCondition();
    return ready.path("status").asText().equals("True")
        && ready.path("observedGeneration").asLong() == json.at("/metadata/generation").asLong();
  }

  /** Whether its operation is, or was, about the newest generation. */
  public boolean isAtNewestGeneration() {
    return operation("targetGeneration").equals(json.at("/metadata/generation").asText());
  }

  /** Whether the operation on the newest generation needs a decision of the user, or failed. */
  public boolean hasFailed() {
    return isAtNewestGeneration() && FAILED.contains(operation("state"));
  }

  /** How the operation and the job are, for a message. */
  public String problem() {
    return "%s is not Ready: %s; its operation is %s: %s"
        .formatted(
            json.at("/metadata/name").asText(),
            readyCondition().path("message").asText(),
            operation("state"),
            operation("message"));
  }

  /** A field of {@code status.operation}; empty when it is not set. */
  public String operation(String field) {
    return json.at("/status/operation").path(field).asText();
  }

  /** The running job, 32 hex digits; empty when none is known. */
  public String jobId() {
    return json.at("/status/jobStatus/jobId").asText();
  }

  private JsonNode readyCondition() {
    for (JsonNode condition : json.at("/status/conditions")) {
      if (condition.path("type").asText().equals("Ready")) {
        return condition;
      }
    }
    return json.at("/status/conditions/none");
  }
}
