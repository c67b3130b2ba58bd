package dev.sluice.controller.deployment;

import dev.sluice.controller.inplace.InPlaceOutcome;
import dev.sluice.controller.observation.ObservedCluster;
import dev.sluice.controller.observation.ObservedJob;
import dev.sluice.controller.operation.WorkflowState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Everything that was observed beside the resource itself.
 *
 * @param cluster through informers
 * @param job by asking Flink
 * @param workflow from this process's own calls to Temporal
 * @param at when it was looked at
 * @param inPlace why something that is changed in place is not as the spec says; null when all is,
 *     or when it was not looked at
 */
public record ObservedState(
    ObservedCluster cluster,
    ObservedJob job,
    WorkflowState workflow,
    Instant at,
    InPlaceOutcome.@Nullable Problem inPlace) {

  ObservedState withInPlace(InPlaceOutcome.@Nullable Problem problem) {
    return new ObservedState(cluster, job, workflow, at, problem);
  }
}
