package dev.sluice.activities.async;

/**
 * The details of a heartbeat, which people see in Temporal's UI and the next attempt finds.
 *
 * @param progress what was seen last
 * @param extendedMs by how much the wait's deadline is later than it was asked for, in ms
 */
public record WaitHeartbeat(String progress, long extendedMs) {}
