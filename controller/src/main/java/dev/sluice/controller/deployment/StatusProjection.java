package dev.sluice.controller.deployment;

import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.controller.common.ConditionHistory;
import dev.sluice.controller.observation.ObservedJob.Pending;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.status.OperationConditions;
import dev.sluice.controller.status.StatusError;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the controller's part of the status is to say: what is true now. Pure but for the clock,
 * which only dates a condition that changes. How often it is written is not decided here.
 */
public final class StatusProjection {

  private final Clock clock;

  /** Dates conditions by this clock. */
  public StatusProjection(Clock clock) {
    this.clock = clock;
  }

  /** The controller's fields; every other one is null. */
  public FlinkDeploymentStatus project(SeenDeployment snapshot, ReconcileAction decision) {
    FlinkDeploymentStatus before = DeploymentStatusFields.owned(snapshot.status());
    if (tooEarly(snapshot, before)) {
      return before
          .withRequests(snapshot.requests().handled())
          .withSnapshotTriggers(SnapshotNonces.known(snapshot).orNull());
    }
    ObservedJobStatus live = ObservedJobStatus.of(snapshot);
    ConditionHistory history =
        ConditionHistory.of(before::condition, snapshot.generation(), clock.instant());
    List<Condition> conditions = new Conditions(snapshot, decision, history).all();
    return FlinkDeploymentStatus.EMPTY
        .withJobStatus(live.job())
        .withError(error(snapshot, conditions))
        .withObservedGeneration(snapshot.generation())
        .withLifecycleState(
            LifecycleProjection.of(
                snapshot, live, new OperationConditions(snapshot, decision, history).isUnderway()))
        .withClusterInfo(live.clusterInfo())
        .withJobManagerDeploymentStatus(live.jobManager())
        .withTaskManager(live.taskManager())
        .withConditions(conditions)
        .withRequests(snapshot.requests().handled())
        .withSnapshotTriggers(SnapshotNonces.known(snapshot).orNull());
  }

  /** While the answer of Flink is on its way, half of a new status is worse than the old one. */
  private static boolean tooEarly(SeenDeployment snapshot, FlinkDeploymentStatus before) {
    Long observed = before.observedGeneration();
    return !snapshot.phase().inFlight()
        && !snapshot.phase().isOpen()
        && snapshot.observed().job() instanceof Pending
        && observed != null
        && observed == snapshot.generation()
        && before.condition(ConditionTypes.READY).isPresent();
  }

  private static @Nullable String error(SeenDeployment snapshot, List<Condition> conditions) {
    return StatusError.of(snapshot, conditions)
        .or(
            () ->
                snapshot.isJobManagerMissing()
                    ? Optional.of(
                        StatusError.text(
                            Reasons.JOB_MANAGER_MISSING,
                            ConditionMessages.jobManagerMissing(snapshot)))
                    : Optional.empty())
        .orElse(null);
  }
}
