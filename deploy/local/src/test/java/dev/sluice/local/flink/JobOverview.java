package dev.sluice.local.flink;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What Flink's list of jobs says of one.
 *
 * @param state the job's state
 * @param total tasks that Flink has made so far
 * @param scheduled of these, tasks that wait for a slot
 * @param running of these, tasks that run
 * @param finished of these, tasks that have ended by themselves
 */
record JobOverview(String state, int total, int scheduled, int running, int finished) {

  static JobOverview of(JsonNode entry) {
    JsonNode tasks = entry.path("tasks");
    return new JobOverview(
        entry.path("state").asText(),
        tasks.path("total").asInt(),
        tasks.path("scheduled").asInt(),
        tasks.path("running").asInt(),
        tasks.path("finished").asInt());
  }

  /** A job in state RUNNING of which the tasks have these states, and none has another. */
  static JobOverview running(int running, int finished) {
    return new JobOverview("RUNNING", running + finished, 0, running, finished);
  }
}
