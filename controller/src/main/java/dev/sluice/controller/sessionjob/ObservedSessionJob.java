package dev.sluice.controller.sessionjob;

import dev.sluice.controller.observation.ObservedJob;
import dev.sluice.controller.observation.ObservedJob.Pending;
import dev.sluice.controller.observation.ObservedJob.Unreachable;
import dev.sluice.controller.observation.PolledJob;
import dev.sluice.controller.operation.WorkflowState;
import java.time.Instant;

/**
 * Everything that was observed beside the resource itself.
 *
 * @param cluster that the job runs on
 * @param told what its cluster was asked
 * @param workflow from this process's own calls to Temporal
 * @param at when it was looked at
 */
record ObservedSessionJob(
    SeenCluster cluster, PolledJob.Seen told, WorkflowState workflow, Instant at) {

  /** What Flink says of the job. Of a cluster that is not there nobody says anything. */
  ObservedJob job() {
    boolean silent =
        told.job() instanceof Pending && cluster.readiness() != SeenCluster.Readiness.READY;
    return silent ? new Unreachable(cluster.message()) : told.job();
  }
}
