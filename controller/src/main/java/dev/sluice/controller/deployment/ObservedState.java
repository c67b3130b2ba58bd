package dev.sluice.controller.deployment;

import dev.sluice.controller.ingress.IngressOutcome;
import dev.sluice.controller.observation.ObservedCluster;
import dev.sluice.controller.observation.ObservedJob;
import dev.sluice.controller.operation.WorkflowState;
import org.jspecify.annotations.Nullable;

/**
 * Everything that was observed beside the resource itself.
 *
 * @param cluster through informers
 * @param job by asking Flink
 * @param workflow from this process's own calls to Temporal
 * @param ingress why the Ingress is not as the spec says; null when it is, or when it was not
 *     looked at
 */
public record ObservedState(
    ObservedCluster cluster,
    ObservedJob job,
    WorkflowState workflow,
    IngressOutcome.@Nullable Problem ingress) {}
