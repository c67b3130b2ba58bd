package dev.sluice.controller.status;

import dev.sluice.api.common.BoundedText;
import dev.sluice.api.common.JobResourceStatus;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.condition.Reasons;
import dev.sluice.controller.common.ConditionHistory;
import dev.sluice.controller.common.ConditionStatus;
import dev.sluice.controller.observation.ClusterProblem;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;

/** Which parts of a status follow cluster and job, the same for every kind. */
public final class LiveStatus {

  /** Longest message of the API server that is repeated, in characters. */
  private static final int LONGEST = 1024;

  private LiveStatus() {}

  /** Also when an operation must be begun and Temporal is away, which is {@code Unknown}. */
  public static boolean inFlight(JobResourceStatus status) {
    return status
        .condition(ConditionTypes.PROGRESSING)
        .filter(progressing -> !progressing.getStatus().equals(ConditionStatus.FALSE.wire()))
        .isPresent();
  }

  /** An end is told at once, and why it came to it: a job does not end again and again. */
  public static boolean hasEnded(JobResourceStatus status) {
    JobStatus job = status.jobStatus();
    return !inFlight(status)
        && job != null
        && job.state() != null
        && job.state().isGloballyTerminal();
  }

  /** The conditions that do not follow cluster and job. */
  public static List<Condition> steady(JobResourceStatus status) {
    boolean inFlight = inFlight(status);
    boolean ended = hasEnded(status);
    return status.conditions().stream()
        .filter(condition -> !isLive(condition, inFlight, ended))
        .toList();
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

  /** The one condition of a status that the API server refuses. */
  public static Condition refused(ConditionHistory history, String why) {
    return history.condition(
        ConditionTypes.READY,
        ConditionStatus.FALSE,
        Reasons.STATUS_REFUSED,
        "The API server refuses the status of this resource: " + BoundedText.of(why, LONGEST));
  }
}
