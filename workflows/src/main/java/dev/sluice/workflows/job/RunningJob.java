package dev.sluice.workflows.job;

import org.jspecify.annotations.Nullable;

/**
 * @param jobId the job
 * @param tasks how many tasks run: all of them
 * @param restoredFrom what the job says it was restored from; null when it started empty
 */
public record RunningJob(String jobId, int tasks, @Nullable String restoredFrom) {}
