package dev.sluice.controller.deployment;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.LifecycleState;
import dev.sluice.api.deployment.JobManagerDeploymentStatus;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.controller.status.Lifecycle;

/** What the word of {@link Lifecycle} needs to know of a FlinkDeployment. */
final class LifecycleProjection {

  private LifecycleProjection() {}

  /**
   * @param underway an operation is at work, or about to be
   */
  static LifecycleState of(SeenDeployment snapshot, ObservedJobStatus live, boolean underway) {
    return Lifecycle.of(
        snapshot,
        underway,
        isLost(snapshot, live),
        live.jobManager() == JobManagerDeploymentStatus.READY || snapshot.hasFinished());
  }

  private static boolean isLost(SeenDeployment snapshot, ObservedJobStatus live) {
    boolean jobFailed = live.job() != null && live.job().state() == FlinkJobState.FAILED;
    boolean noCluster =
        live.jobManager() == JobManagerDeploymentStatus.MISSING
            || live.jobManager() == JobManagerDeploymentStatus.ERROR;
    return jobFailed
        || snapshot.isJobManagerMissing()
        || (noCluster && (Lifecycle.hasFailed(snapshot) || isHeld(snapshot.phase())));
  }

  private static boolean isHeld(ResourcePhase phase) {
    return phase == ResourcePhase.PARKED || phase == ResourcePhase.BLOCKED;
  }
}
