package dev.sluice.workflows.cluster;

import dev.sluice.workflows.resource.ResourceRef;
import org.jspecify.annotations.Nullable;

/**
 * @param resource whose cluster
 * @param generation the frozen generation that is expected in the status
 * @param jobId 32 hex digits, fixed before the first call
 * @param restoreFrom path of the savepoint or checkpoint; null to start empty
 */
public record CreateClusterRequest(
    ResourceRef resource, long generation, String jobId, @Nullable String restoreFrom) {}
