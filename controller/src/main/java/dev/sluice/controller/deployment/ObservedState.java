package dev.sluice.controller.deployment;

import dev.sluice.controller.observation.ObservedCluster;
import dev.sluice.controller.observation.ObservedJob;
import dev.sluice.controller.operation.WorkflowState;

/**
 * Everything that was observed beside the resource itself.
 *
 * @param cluster through informers
 * @param job by asking Flink
 * @param workflow from this process's own calls to Temporal
 */
public record ObservedState(ObservedCluster cluster, ObservedJob job, WorkflowState workflow) {}
