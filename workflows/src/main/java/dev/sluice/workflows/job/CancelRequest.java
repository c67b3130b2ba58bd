package dev.sluice.workflows.job;

import dev.sluice.workflows.lane.ResourceRef;

/**
 * @param resource whose job
 * @param jobId the job to cancel
 * @param deadlineMs give up at this time, ms since the epoch
 */
public record CancelRequest(ResourceRef resource, String jobId, long deadlineMs) {}
