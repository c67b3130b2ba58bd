package dev.sluice.controller.deployment;

/**
 * Everything that was seen beside the resource itself.
 *
 * @param cluster through informers
 * @param job by asking Flink
 * @param lane from this process's own calls to Temporal
 */
public record ObservedState(ObservedCluster cluster, ObservedJob job, WorkflowState lane) {}
