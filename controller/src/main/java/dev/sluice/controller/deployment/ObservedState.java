package dev.sluice.controller.deployment;

import dev.sluice.controller.inplace.InPlaceOutcome;
import dev.sluice.controller.observation.ObservedCluster;
import dev.sluice.controller.observation.ObservedJob;
import dev.sluice.controller.operation.WorkflowState;
import dev.sluice.controller.snapshot.JobSnapshots;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Everything that was observed beside the resource itself.
 *
 * @param cluster through informers
 * @param job by asking Flink
 * @param workflow the answers of Temporal
 * @param at when it was looked at
 * @param inPlace what came of what is changed in place
 * @param asked what came of the snapshots that the spec asks for; null while they are not looked at
 */
public record ObservedState(
    ObservedCluster cluster,
    ObservedJob job,
    WorkflowState workflow,
    Instant at,
    InPlaceOutcome inPlace,
    JobSnapshots.@Nullable Outcome asked) {

  /** Nothing was changed in place yet. */
  static ObservedState of(
      ObservedCluster cluster, ObservedJob job, WorkflowState workflow, Instant at) {
    return new ObservedState(cluster, job, workflow, at, InPlaceOutcome.DONE, null);
  }

  ObservedState with(InPlaceOutcome changed, JobSnapshots.Outcome answered) {
    return new ObservedState(cluster, job, workflow, at, changed, answered);
  }

  ObservedState with(WorkflowState learned) {
    return new ObservedState(cluster, job, learned, at, inPlace, asked);
  }
}
