package dev.sluice.controller.deployment;

import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.inplace.InPlaceOutcome;
import dev.sluice.controller.observation.ClusterProblem;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.controller.status.ChangeEvents;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The events of a change of the status, derived from the change alone, and so reported once, also
 * across restarts; and those of problems of pods. Pure.
 */
public final class DeploymentEvents {

  private DeploymentEvents() {}

  /** The events for a status that replaces the one that was seen. */
  public static List<StatusEvent> of(SeenDeployment seen, FlinkDeploymentStatus after) {
    ChangeEvents change = new ChangeEvents(seen, after);
    List<StatusEvent> events = new ArrayList<>(change.all(seen.isMissing()).toList());
    if (change.appears(ConditionTypes.RUNNING, Reasons.JOB_MANAGER_MISSING, false)) {
      events.add(StatusEvent.warning(EventReasons.MISSING, change.message(ConditionTypes.RUNNING)));
    }
    InPlaceOutcome.Problem problem = seen.observed().inPlace().problem();
    if (problem != null && change.appears(ConditionTypes.STALLED, problem.reason(), true)) {
      events.add(StatusEvent.warning(problem.reason(), problem.message()));
    }
    if (isBegunAgain(seen, after.jobStatus())) {
      events.add(
          StatusEvent.warning(
              EventReasons.JOB_BEGUN_AGAIN,
              "The job was begun again from what it was first started with, because its JobManager"
                  + " was restarted without high availability. To have Flink go on from the newest"
                  + " checkpoint, set high-availability.type: kubernetes and"
                  + " high-availability.storageDir."));
    }
    return List.copyOf(events);
  }

  /**
   * The same job has another start, and nothing that would remember its checkpoints: an operation
   * never begins the same job twice.
   */
  private static boolean isBegunAgain(SeenDeployment seen, @Nullable JobStatus to) {
    JobStatus from = seen.status().jobStatus();
    JobSpec job = seen.deployedSpec().job();
    return from != null
        && to != null
        && from.startTime() != null
        && to.startTime() != null
        && !from.startTime().equals(to.startTime())
        && Objects.equals(from.jobId(), to.jobId())
        && job != null
        && job.upgradeMode() != UpgradeMode.STATELESS
        && !seen.hasHighAvailability();
  }

  /**
   * All that there is to tell, also what was told before: each is dated, and so told once. One for
   * each reason and kind of process, on which others are counted: a TaskManager that does not start
   * is replaced again and again.
   */
  static List<StatusEvent> problems(SeenDeployment seen) {
    return seen.phase() == ResourcePhase.DELETING
        ? List.of()
        : seen.observed().cluster().health().problems().stream()
            .filter(problem -> counts(problem, seen.phase()))
            .map(
                problem ->
                    new StatusEvent(
                        true,
                        problem.reason(),
                        problem.message(),
                        problem.component().word(),
                        problem.at()))
            .toList();
  }

  /** That there is no node yet is usual while a cluster is made; the operation says so, too. */
  private static boolean counts(ClusterProblem problem, ResourcePhase phase) {
    return !phase.inFlight() || !problem.reason().equals(Reasons.UNSCHEDULABLE);
  }
}
