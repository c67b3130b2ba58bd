package dev.sluice.workflows.model;

/**
 * A job on a Flink cluster.
 *
 * @param cluster where it runs
 * @param jobId Flink's job id, 32 hex digits
 */
public record JobRef(ClusterRef cluster, String jobId) {}
