package dev.sluice.workflows.job;

import dev.sluice.workflows.resource.ResourceRef;

/**
 * @param resource whose job
 * @param jobId the job to stop
 * @param triggerId 32 hex digits, fixed before the first call; the trigger id of attempt n is
 *     derived from it
 * @param deadlineMs give up at this time, ms since the epoch
 */
public record StopRequest(ResourceRef resource, String jobId, String triggerId, long deadlineMs) {}
