package dev.sluice.activities.flink;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;

/**
 * One TaskManager in {@code GET /taskmanagers}.
 *
 * @param lastHeartbeat when the JobManager last heard of it, by the clock of that; Flink calls it
 *     the time since
 * @param slots of it
 * @param freeSlots of them those that no job has
 */
public record TaskManagerOverview(
    @JsonProperty(value = "timeSinceLastHeartbeat", required = true) Instant lastHeartbeat,
    @JsonProperty("slotsNumber") int slots,
    @JsonProperty("freeSlots") int freeSlots) {}
