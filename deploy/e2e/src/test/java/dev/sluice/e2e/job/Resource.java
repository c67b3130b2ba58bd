package dev.sluice.e2e.job;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.testing.Patience;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.StreamSupport;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A FlinkDeployment or FlinkSessionJob as the API server has it.
 *
 * @param json the whole object
 */
public record Resource(JsonNode json) {

  private static final Duration PATIENCE = Patience.times(2);

  /** Until it is as it should be; says what it was last when it never is. */
  static Resource await(
      String name, Supplier<Resource> now, String what, Predicate<Resource> condition) {
    Resource[] last = new Resource[1];
    try {
      Awaitility.await()
          .atMost(PATIENCE)
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(200))
          .ignoreExceptions()
          .until(
              () -> {
                last[0] = now.get();
                return condition.test(last[0]);
              });
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(
          "%s is not %s in %s. It is: %s".formatted(name, what, PATIENCE, last[0]), e);
    }
    return last[0];
  }

  public long generation() {
    return json.at("/metadata/generation").asLong();
  }

  public String uid() {
    return json.at("/metadata/uid").asText();
  }

  /** Text at a path below the status; empty when there is none. */
  public String status(String pointer) {
    return json.at("/status" + pointer).asText("");
  }

  /** A condition: its status, and a blank and its reason. {@code Unknown} when there is none. */
  public String condition(String type) {
    return find(type)
        .map(it -> it.path("status").asText() + " " + it.path("reason").asText())
        .orElse("Unknown");
  }

  /** The message of a condition; empty when there is none. */
  public String message(String type) {
    return find(type).map(it -> it.path("message").asText()).orElse("");
  }

  /** The newest spec runs, all of it, and nothing is open. */
  public boolean isReady() {
    return observed() && condition("Ready").startsWith("True");
  }

  /** The newest spec was looked at. */
  public boolean observed() {
    return json.at("/status/observedGeneration").asLong() == generation();
  }

  /** Waits for a person. */
  public boolean isStalled() {
    return observed() && condition("Stalled").startsWith("True");
  }

  /** Type, state and step of the operation: {@code Upgrade Parked AwaitRunning}. */
  public String operation() {
    return String.join(
        " ", status("/operation/type"), status("/operation/state"), status("/operation/step"));
  }

  @Override
  public String toString() {
    return "generation %d, %s, Ready=%s, Stalled=%s: %s"
        .formatted(
            generation(),
            operation(),
            condition("Ready"),
            condition("Stalled"),
            status("/operation/message"));
  }

  private Optional<JsonNode> find(String type) {
    return StreamSupport.stream(json.at("/status/conditions").spliterator(), false)
        .filter(it -> it.path("type").asText().equals(type))
        .findFirst();
  }
}
