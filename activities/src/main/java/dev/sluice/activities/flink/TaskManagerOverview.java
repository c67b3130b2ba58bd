package dev.sluice.activities.flink;

import java.time.Instant;

/**
 * One TaskManager in {@code GET /taskmanagers}.
 *
 * @param lastHeartbeat when the JobManager last heard of it, by the clock of that
 * @param slots of it
 * @param freeSlots of them those that no job has
 */
public record TaskManagerOverview(Instant lastHeartbeat, int slots, int freeSlots) {}
