package dev.sluice.activities.cluster;

import java.time.Clock;
import java.util.concurrent.Executor;

/**
 * How waits look at clusters.
 *
 * @param live asks the API server, and blocks
 * @param cache answers from memory
 * @param background for calls to the API server that several waits share
 * @param clock of the worker
 */
public record ClusterAccess(
    LiveClusters live, ClusterCache cache, Executor background, Clock clock) {}
