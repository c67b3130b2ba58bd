package dev.sluice.e2e.job;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A job as Flink lists it.
 *
 * @param id 32 hex digits
 * @param name as its main method has named it
 * @param state as {@code RUNNING}
 * @param startMs when its cluster took it, ms since the epoch
 * @param endMs when it ended, ms since the epoch; -1 while it has not
 */
public record FlinkJob(String id, String name, String state, long startMs, long endMs) {

  /** One of {@code /jobs/overview}. */
  static FlinkJob of(JsonNode json) {
    return new FlinkJob(
        json.path("jid").asText(),
        json.path("name").asText(),
        json.path("state").asText(),
        json.path("start-time").asLong(),
        json.path("end-time").asLong());
  }

  /** Whether it can still process elements. */
  public boolean isAlive() {
    return endMs < 0;
  }
}
