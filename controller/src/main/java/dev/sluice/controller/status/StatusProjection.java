package dev.sluice.controller.status;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.controller.deployment.AnnotationRequests;
import dev.sluice.controller.deployment.Decision;
import dev.sluice.controller.deployment.DeploymentPhase;
import dev.sluice.controller.deployment.DeploymentSnapshot;
import dev.sluice.controller.deployment.ObservedJob.Pending;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the controller's part of the status is to say. Pure but for the clock, which only dates a
 * condition that flips. Made to change as seldom as possible: an operation costs one change when it
 * begins and one when it ends.
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
  public FlinkDeploymentStatus project(DeploymentSnapshot situation, Decision decision) {
    FlinkDeploymentStatus before = owned(situation.status());
    if (tooEarly(situation, before)) {
      return before.withRequests(AnnotationRequests.handled(situation));
    }
    boolean frozen = isFrozen(situation, decision);
    ObservedJobStatus live =
        frozen ? ObservedJobStatus.frozen(situation) : ObservedJobStatus.observed(situation);
    ConditionHistory history =
        ConditionHistory.of(before::condition, situation.generation(), clock.instant());
    List<Condition> conditions = new Conditions(situation, decision, history, frozen).all();
    return FlinkDeploymentStatus.EMPTY
        .withJobStatus(live.job())
        .withError(error(conditions))
        .withObservedGeneration(situation.generation())
        .withLifecycleState(LifecycleProjection.of(situation, live, frozen))
        .withClusterInfo(live.clusterInfo())
        .withJobManagerDeploymentStatus(live.jobManager())
        .withTaskManager(live.taskManager())
        .withConditions(conditions)
        .withRequests(AnnotationRequests.handled(situation));
  }

  /** The fields of a status that are the controller's. */
  public static FlinkDeploymentStatus owned(FlinkDeploymentStatus status) {
    return status
        .withOperation(null)
        .withReconciliationStatus(null)
        .withJobStatus(
            status.jobStatus() == null ? null : ObservedJobStatus.ours(status.jobStatus()));
  }

  /** While the answer of Flink is on its way, half of a new status is worse than the old one. */
  private static boolean tooEarly(DeploymentSnapshot situation, FlinkDeploymentStatus before) {
    Long observed = before.observedGeneration();
    return !situation.stage().inFlight()
        && situation.seen().job() instanceof Pending
        && observed != null
        && observed == situation.generation()
        && before.condition(ConditionTypes.READY).isPresent();
  }

  /**
   * Whether cluster and job are in the hands of an operation, so that watching them is noise. One
   * that cannot begin, because Temporal is away, has not touched anything.
   */
  public boolean isFrozen(DeploymentSnapshot situation, Decision decision) {
    return situation.stage().inFlight()
        && (situation.stage() != DeploymentPhase.WANTED
            || Conditions.unavailable(situation, decision) == null);
  }

  private static @Nullable String error(List<Condition> conditions) {
    return conditions.stream()
        .filter(c -> c.getType().equals(ConditionTypes.STALLED) && c.getStatus().equals("True"))
        .findFirst()
        .map(StatusProjection::error)
        .orElse(null);
  }

  private static String error(Condition stalled) {
    String message = stalled.getMessage();
    return JsonNodeFactory.instance
        .objectNode()
        .put("type", stalled.getReason())
        .put("message", message.substring(0, Math.min(LONGEST_ERROR, message.length())))
        .toString();
  }
}
