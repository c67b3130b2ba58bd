package dev.sluice.controller.status;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.controller.deployment.AnnotationRequests;
import dev.sluice.controller.deployment.Decision;
import dev.sluice.controller.deployment.Decision.RemoveFinalizer;
import dev.sluice.controller.deployment.DeploymentPhase;
import dev.sluice.controller.deployment.DeploymentSnapshot;
import dev.sluice.controller.deployment.WorkflowState.Answer;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What to tell people about a change of status. Pure, and derived from the change alone: what is
 * written once is told once, also across restarts. What becomes of an operation is told by its
 * workflow.
 */
public final class StatusEvents {

  private StatusEvents() {}

  /** The notices for a status that is about to be replaced by another. */
  public static List<StatusEvent> of(
      DeploymentSnapshot situation, Decision decision, FlinkDeploymentStatus after) {
    FlinkDeploymentStatus before = situation.status();
    List<StatusEvent> notices = new ArrayList<>();
    if (decision instanceof RemoveFinalizer remove && remove.forced()) {
      notices.add(
          new StatusEvent(
              true,
              EventReasons.CLEANUP_FAILED,
              "let go by force: whatever is left of the cluster is Kubernetes' garbage collector's"
                  + " to remove; high-availability metadata and checkpoints stay"));
    }
    if (!situation.violations().isEmpty()
        && appears(
            before, after, ConditionTypes.STALLED, ConditionMessages.invalidReason(situation))) {
      notices.add(
          new StatusEvent(
              true, EventReasons.VALIDATION_ERROR, ConditionMessages.invalid(situation)));
    }
    if (appears(before, after, ConditionTypes.PROGRESSING, Reasons.TEMPORAL_UNAVAILABLE)) {
      String message = message(after, ConditionTypes.PROGRESSING);
      notices.add(new StatusEvent(true, EventReasons.TEMPORAL_UNAVAILABLE, message));
    }
    if (!(decision instanceof RemoveFinalizer)) {
      begun(situation, before, notices);
    }
    requests(situation, notices);
    jobChanged(situation, before, after, notices);
    return List.copyOf(notices);
  }

  /** For each generation once: an invalid one that follows an invalid one is told too. */
  private static boolean appears(
      FlinkDeploymentStatus before, FlinkDeploymentStatus after, String type, String reason) {
    Condition now = after.condition(type).orElse(null);
    if (now == null || !reason.equals(now.getReason())) {
      return false;
    }
    return before
        .condition(type)
        .map(
            old ->
                !reason.equals(old.getReason())
                    || !Objects.equals(old.getObservedGeneration(), now.getObservedGeneration()))
        .orElse(true);
  }

  private static String message(FlinkDeploymentStatus status, String type) {
    return status.condition(type).map(Condition::getMessage).orElse("");
  }

  private static void begun(
      DeploymentSnapshot situation, FlinkDeploymentStatus before, List<StatusEvent> notices) {
    boolean known = Objects.equals(before.observedGeneration(), situation.generation());
    if (situation.stage() == DeploymentPhase.DELETING) {
      boolean told = hasReason(before, Reasons.DELETING);
      if (!told) {
        notices.add(
            new StatusEvent(
                false, EventReasons.CLEANUP, "the job and its cluster are being removed"));
      }
    } else if (situation.stage() == DeploymentPhase.WANTED && !known) {
      boolean upgrade = situation.bringing() == OperationType.UPGRADE;
      notices.add(
          upgrade
              ? new StatusEvent(
                  false,
                  EventReasons.SPEC_CHANGED,
                  "generation "
                      + situation.generation()
                      + " is to be brought to the cluster: "
                      + String.join(", ", situation.changes()))
              : new StatusEvent(
                  false,
                  EventReasons.SUBMIT,
                  "generation " + situation.generation() + " is to be deployed"));
    }
  }

  private static boolean hasReason(FlinkDeploymentStatus status, String reason) {
    return status
        .condition(ConditionTypes.READY)
        .filter(c -> reason.equals(c.getReason()))
        .isPresent();
  }

  private static void requests(DeploymentSnapshot situation, List<StatusEvent> notices) {
    AnnotationRequests.all(situation).stream()
        .filter(request -> !AnnotationRequests.isHandled(situation, request))
        .forEach(
            request -> {
              Answer answer = situation.seen().lane().answers().get(request);
              if (answer == Answer.NOT_OPEN) {
                notices.add(
                    new StatusEvent(
                        true,
                        EventReasons.REQUEST_IGNORED,
                        request.annotation()
                            + "="
                            + request.text()
                            + ": no operation is open, so there is nothing to act on"));
              } else if (answer != null) {
                notices.add(
                    new StatusEvent(
                        false,
                        EventReasons.REQUEST_SENT,
                        request.annotation()
                            + "="
                            + request.text()
                            + (answer == Answer.STARTED
                                ? ": the operation was started again"
                                : ": handed to the operation")));
              }
            });
  }

  /** Only while no operation is at work: what an operation does to the job is its own to tell. */
  private static void jobChanged(
      DeploymentSnapshot situation,
      FlinkDeploymentStatus before,
      FlinkDeploymentStatus after,
      List<StatusEvent> notices) {
    FlinkJobState from = state(before.jobStatus());
    FlinkJobState to = state(after.jobStatus());
    if (situation.stage().inFlight() || from == null || to == null || from == to) {
      return;
    }
    if (before
        .condition(ConditionTypes.PROGRESSING)
        .filter(c -> "True".equals(c.getStatus()))
        .isPresent()) {
      return;
    }
    notices.add(
        new StatusEvent(
            to == FlinkJobState.FAILED,
            EventReasons.JOB_STATUS_CHANGED,
            "job " + id(after.jobStatus()) + " went from " + from + " to " + to));
  }

  private static @Nullable FlinkJobState state(@Nullable JobStatus status) {
    return status == null ? null : status.state();
  }

  private static String id(@Nullable JobStatus status) {
    return status == null ? "" : String.valueOf(status.jobId());
  }
}
