package dev.sluice.workflows.cluster;

import dev.sluice.workflows.resource.ResourceRef;

/**
 * @param resource whose cluster
 * @param everything also the Services and ConfigMaps that an upgrade keeps: the resource is being
 *     deleted
 * @param deadlineMs give up at this time, ms since the epoch
 */
public record DeleteClusterRequest(ResourceRef resource, boolean everything, long deadlineMs) {}
