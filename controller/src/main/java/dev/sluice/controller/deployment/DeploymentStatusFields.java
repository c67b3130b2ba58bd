package dev.sluice.controller.deployment;

import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.controller.common.BoundedText;
import dev.sluice.controller.common.ConditionHistory;
import dev.sluice.controller.common.ConditionStatus;
import dev.sluice.controller.common.ControllerStatus;
import java.time.Clock;
import java.util.List;

/** The fields of a FlinkDeployment's status that are the controller's. */
public final class DeploymentStatusFields
    implements ControllerStatus<FlinkDeployment, FlinkDeploymentStatus> {

  /** Longest message of the API server that is repeated, in characters. */
  private static final int LONGEST = 1024;

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
        .withJobStatus(
            status.jobStatus() == null ? null : ObservedJobStatus.ours(status.jobStatus()));
  }

  @Override
  public FlinkDeploymentStatus owned(FlinkDeployment resource) {
    return owned(resource.getStatus());
  }

  @Override
  public FlinkDeploymentStatus withoutLive(FlinkDeploymentStatus status) {
    return status
        .withJobStatus(null)
        .withJobManagerDeploymentStatus(null)
        .withClusterInfo(null)
        .withTaskManager(null)
        .withError(null)
        .withConditions(
            status.conditions().stream()
                .filter(condition -> !condition.getType().equals(ConditionTypes.RUNNING))
                .toList());
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
        .withConditions(
            List.of(
                history.condition(
                    ConditionTypes.READY,
                    ConditionStatus.FALSE,
                    Reasons.STATUS_REFUSED,
                    "The API server refuses the status of this resource: "
                        + BoundedText.of(why, LONGEST))));
  }
}
