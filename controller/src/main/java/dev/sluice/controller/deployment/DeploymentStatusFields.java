package dev.sluice.controller.deployment;

import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.controller.common.ConditionHistory;
import dev.sluice.controller.common.ControllerStatus;
import dev.sluice.controller.status.LiveStatus;
import dev.sluice.controller.status.ShownJob;
import java.time.Clock;
import java.util.List;

/** The fields of a FlinkDeployment's status that are the controller's. */
public final class DeploymentStatusFields
    implements ControllerStatus<FlinkDeployment, FlinkDeploymentStatus> {

  private final Clock clock;

  /** Dates conditions by this clock. */
  public DeploymentStatusFields(Clock clock) {
    this.clock = clock;
  }

  /** The status without the fields that are the workflow's. */
  static FlinkDeploymentStatus owned(FlinkDeploymentStatus status) {
    return status
        .withOperation(null)
        .withReconciliationStatus(null)
        .withRecordedState(null)
        .withRecovery(null)
        .withTakenSavepoint(null)
        .withEarlierSavepoints(List.of())
        .withSnapshots(null)
        .withJobStatus(status.jobStatus() == null ? null : ShownJob.ours(status.jobStatus()));
  }

  @Override
  public FlinkDeploymentStatus owned(FlinkDeployment resource) {
    return owned(resource.getStatus());
  }

  @Override
  public FlinkDeploymentStatus withoutLive(FlinkDeploymentStatus status) {
    return status
        .withJobStatus(LiveStatus.hasEnded(status) ? status.jobStatus() : null)
        .withJobManagerDeploymentStatus(null)
        .withClusterInfo(null)
        .withTaskManager(null)
        .withError(null)
        .withLifecycleState(LiveStatus.inFlight(status) ? status.lifecycleState() : null)
        .withConditions(LiveStatus.steady(status));
  }

  @Override
  public FlinkDeploymentStatus withoutTimes(FlinkDeploymentStatus status) {
    return status.withConditions(ConditionHistory.withoutTimes(status.conditions()));
  }

  @Override
  public FlinkDeploymentStatus minimal(
      FlinkDeployment resource, FlinkDeploymentStatus refused, String why) {
    long generation = resource.getMetadata().getGeneration();
    ConditionHistory history =
        ConditionHistory.of(resource.getStatus()::condition, generation, clock.instant());
    return FlinkDeploymentStatus.EMPTY
        .withObservedGeneration(generation)
        .withLifecycleState(refused.lifecycleState())
        .withRequests(refused.requests())
        .withSnapshotTriggers(refused.snapshotTriggers())
        .withConditions(List.of(LiveStatus.refused(history, why)));
  }
}
