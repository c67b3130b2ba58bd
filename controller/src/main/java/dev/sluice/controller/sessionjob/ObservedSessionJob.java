package dev.sluice.controller.sessionjob;

import dev.sluice.controller.observation.ObservedJob;
import dev.sluice.controller.observation.ObservedJob.Pending;
import dev.sluice.controller.observation.ObservedJob.Unreachable;
import dev.sluice.controller.operation.WorkflowState;
import dev.sluice.controller.snapshot.JobSnapshots;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Everything that was observed beside the resource itself.
 *
 * @param cluster that the job runs on
 * @param told what its cluster was asked
 * @param workflow the answers of Temporal
 * @param at when it was looked at
 * @param asked what came of the snapshots that the spec asks for; null while they are not looked at
 */
record ObservedSessionJob(
    SeenCluster cluster,
    ObservedJob told,
    WorkflowState workflow,
    Instant at,
    JobSnapshots.@Nullable Outcome asked) {

  /** No snapshot was looked at yet. */
  static ObservedSessionJob of(
      SeenCluster cluster, ObservedJob told, WorkflowState workflow, Instant at) {
    return new ObservedSessionJob(cluster, told, workflow, at, null);
  }

  ObservedSessionJob with(JobSnapshots.Outcome answered) {
    return new ObservedSessionJob(cluster, told, workflow, at, answered);
  }

  ObservedSessionJob with(WorkflowState learned) {
    return new ObservedSessionJob(cluster, told, learned, at, asked);
  }

  /** What Flink says of the job. Of a cluster that is not there nobody says anything. */
  ObservedJob job() {
    boolean silent = told instanceof Pending && cluster.readiness() != SeenCluster.Readiness.READY;
    return silent ? new Unreachable(cluster.message()) : told;
  }
}
