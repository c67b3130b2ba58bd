package dev.sluice.activities.job;

import java.util.concurrent.Executor;

/**
 * What savepoints need beside Flink.
 *
 * @param directory finds those that the JobManager has forgotten
 * @param search threads for that alone: a storage that hangs keeps them
 * @param limiter how many may be taken at a time
 */
public record Savepoints(SavepointDirectory directory, Executor search, SavepointLimiter limiter) {}
