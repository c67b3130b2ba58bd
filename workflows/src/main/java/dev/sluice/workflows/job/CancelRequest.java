package dev.sluice.workflows.job;

import dev.sluice.workflows.resource.ResourceRef;

/**
 * @param resource whose job
 * @param jobId the job to cancel
 * @param keepState tell its newest state afterwards, which takes up to {@code web.refresh-interval}
 *     (3 s) longer, because Flink answers its statistics from a cache
 * @param deadlineMs give up at this time, ms since the epoch
 */
public record CancelRequest(
    ResourceRef resource, String jobId, boolean keepState, long deadlineMs) {}
