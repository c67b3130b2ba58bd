package dev.sluice.activities.cluster;

import java.time.Clock;

/**
 * How waits look at clusters.
 *
 * @param live asks the API server, and blocks
 * @param cache answers from memory
 * @param clock of the worker
 */
public record ClusterAccess(LiveClusters live, ClusterCache cache, Clock clock) {}
