package dev.sluice.activities.job;

/**
 * What savepoints need beside Flink.
 *
 * @param directory finds those that the JobManager has forgotten
 * @param limiter how many may be taken at a time
 */
public record Savepoints(SavepointDirectory directory, SavepointLimiter limiter) {}
