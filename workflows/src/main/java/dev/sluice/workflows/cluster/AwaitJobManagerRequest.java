package dev.sluice.workflows.cluster;

import dev.sluice.workflows.resource.ResourceRef;

/**
 * @param resource whose cluster
 * @param jobId the job id that the Deployment must carry
 * @param deadlineMs give up at this time, ms since the epoch
 */
public record AwaitJobManagerRequest(ResourceRef resource, String jobId, long deadlineMs) {}
