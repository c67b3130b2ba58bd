package dev.sluice.activities.job;

import dev.sluice.activities.cluster.ClusterCache;
import dev.sluice.activities.cluster.LiveClusters;
import dev.sluice.activities.resource.ResourceStore;
import dev.sluice.workflows.model.ResourceRef;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * What is known of clusters on Kubernetes.
 *
 * @param stores the store of a resource's kind
 * @param cache from memory
 * @param live from the API server
 * @param background for short blocking calls
 */
public record Clusters(
    Function<ResourceRef, ResourceStore> stores,
    ClusterCache cache,
    LiveClusters live,
    Executor background) {}
