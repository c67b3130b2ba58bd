package dev.sluice.controller.deployment;

import dev.sluice.api.common.BoundedText;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.controller.common.ConditionHistory;
import dev.sluice.controller.common.ConditionStatus;
import dev.sluice.controller.common.ControllerStatus;
import dev.sluice.controller.observation.ClusterProblem;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
        .withRecovery(null)
        .withTakenSavepoint(null)
        .withEarlierSavepoints(List.of())
        .withSnapshots(null)
        .withJobStatus(
            status.jobStatus() == null ? null : ObservedJobStatus.ours(status.jobStatus()));
  }

  @Override
  public FlinkDeploymentStatus owned(FlinkDeployment resource) {
    return owned(resource.getStatus());
  }

  /** Also when an operation must be begun and Temporal is away, which is {@code Unknown}. */
  @Override
  public boolean inFlight(FlinkDeploymentStatus status) {
    return status
        .condition(ConditionTypes.PROGRESSING)
        .filter(progressing -> !progressing.getStatus().equals(ConditionStatus.FALSE.wire()))
        .isPresent();
  }

  @Override
  public FlinkDeploymentStatus withoutLive(FlinkDeploymentStatus status) {
    boolean inFlight = inFlight(status);
    boolean ended = !inFlight && hasEnded(status.jobStatus());
    return status
        .withJobStatus(ended ? status.jobStatus() : null)
        .withJobManagerDeploymentStatus(null)
        .withClusterInfo(null)
        .withTaskManager(null)
        .withError(null)
        .withLifecycleState(inFlight ? status.lifecycleState() : null)
        .withConditions(
            status.conditions().stream()
                .filter(condition -> !isLive(condition, inFlight, ended))
                .toList());
  }

  @Override
  public FlinkDeploymentStatus withoutTimes(FlinkDeploymentStatus status) {
    return status.withConditions(ConditionHistory.withoutTimes(status.conditions()));
  }

  /** An end is told at once, and why it came to it: a job does not end again and again. */
  private static boolean hasEnded(@Nullable JobStatus job) {
    return job != null && job.state() != null && job.state().isGloballyTerminal();
  }

  /** During an operation Ready and Stalled are about the operation, else about the cluster. */
  private static boolean isLive(Condition condition, boolean inFlight, boolean ended) {
    return switch (condition.getType()) {
      case ConditionTypes.RUNNING -> !ended;
      case ConditionTypes.READY -> !inFlight;
      case ConditionTypes.STALLED -> !inFlight && isAboutCluster(condition.getReason());
      default -> false;
    };
  }

  private static boolean isAboutCluster(String reason) {
    return reason.equals(Reasons.NOT_STALLED)
        || reason.equals(Reasons.CLUSTER_NOT_READY)
        || ClusterProblem.REASONS.contains(reason);
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
