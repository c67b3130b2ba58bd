package dev.sluice.workflows.job;

import dev.sluice.workflows.resource.ResourceRef;
import org.jspecify.annotations.Nullable;

/**
 * @param resource whose job
 * @param jobId the job that was submitted
 * @param restoredFrom what it must say it was restored from; null when it starts empty
 * @param deadlineMs give up at this time, ms since the epoch
 */
public record AwaitRunningRequest(
    ResourceRef resource, String jobId, @Nullable String restoredFrom, long deadlineMs) {}
