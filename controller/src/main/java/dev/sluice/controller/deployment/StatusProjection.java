package dev.sluice.controller.deployment;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sluice.api.common.BoundedText;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.controller.common.ConditionHistory;
import dev.sluice.controller.observation.ObservedJob.Pending;
import dev.sluice.controller.operation.ReconcileAction;
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

  /** Longest {@code status.error}, in characters, as in Apache's operator. */
  private static final int LONGEST_ERROR = 2048;

  private final Clock clock;

  /** Dates conditions by this clock. */
  public StatusProjection(Clock clock) {
    this.clock = clock;
  }

  /** The controller's fields; every other one is null. */
  public FlinkDeploymentStatus project(DeploymentSnapshot snapshot, ReconcileAction decision) {
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
        .withLifecycleState(LifecycleProjection.of(snapshot, live, isUnderway(snapshot, decision)))
        .withClusterInfo(live.clusterInfo())
        .withJobManagerDeploymentStatus(live.jobManager())
        .withTaskManager(live.taskManager())
        .withConditions(conditions)
        .withRequests(snapshot.requests().handled())
        .withSnapshotTriggers(SnapshotNonces.known(snapshot).orNull());
  }

  /** While the answer of Flink is on its way, half of a new status is worse than the old one. */
  private static boolean tooEarly(DeploymentSnapshot snapshot, FlinkDeploymentStatus before) {
    Long observed = before.observedGeneration();
    return !snapshot.phase().inFlight()
        && !snapshot.phase().isOpen()
        && snapshot.observed().job() instanceof Pending
        && observed != null
        && observed == snapshot.generation()
        && before.condition(ConditionTypes.READY).isPresent();
  }

  /** One that cannot begin, because Temporal is away, has not touched anything. */
  private static boolean isUnderway(DeploymentSnapshot snapshot, ReconcileAction decision) {
    return snapshot.phase().inFlight()
        && (snapshot.phase() != DeploymentPhase.PENDING
            || Conditions.unavailable(snapshot, decision) == null);
  }

  private static @Nullable String error(DeploymentSnapshot snapshot, List<Condition> conditions) {
    Optional<String> failed =
        snapshot
            .job()
            .filter(job -> job.state() == FlinkJobState.FAILED)
            .map(ConditionMessages::job);
    return conditions.stream()
        .filter(c -> c.getType().equals(ConditionTypes.STALLED) && c.getStatus().equals("True"))
        .findFirst()
        .map(
            stalled ->
                error(
                    stalled.getReason(),
                    stalled.getMessage() + failed.map(message -> " " + message).orElse("")))
        .or(() -> failed.map(message -> error(Reasons.JOB_FAILED, message)))
        .or(() -> missing(snapshot))
        .orElse(null);
  }

  private static Optional<String> missing(DeploymentSnapshot snapshot) {
    return snapshot.isJobManagerMissing()
        ? Optional.of(
            error(Reasons.JOB_MANAGER_MISSING, ConditionMessages.jobManagerMissing(snapshot)))
        : Optional.empty();
  }

  private static String error(String type, String message) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("type", type)
        .put("message", BoundedText.of(message, LONGEST_ERROR))
        .toString();
  }
}
