package dev.sluice.controller.deployment;

import dev.sluice.api.common.HighAvailabilityMode;
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

/**
 * The events of a change of the status, derived from the change alone, and so reported once, also
 * across restarts; and those of problems of pods. Pure.
 */
public final class DeploymentEvents {

  private final SeenDeployment seen;
  private final FlinkDeploymentStatus before;
  private final FlinkDeploymentStatus after;
  private final ChangeEvents change;
  private final List<StatusEvent> events = new ArrayList<>();

  private DeploymentEvents(SeenDeployment seen, FlinkDeploymentStatus after) {
    this.seen = seen;
    this.before = seen.status();
    this.after = after;
    this.change = new ChangeEvents(seen, after);
  }

  /** The events for a status that replaces the one that was seen. */
  public static List<StatusEvent> of(SeenDeployment seen, FlinkDeploymentStatus after) {
    DeploymentEvents all = new DeploymentEvents(seen, after);
    all.events.addAll(all.change.spec());
    all.events.addAll(all.change.operation());
    all.cluster();
    all.inPlace();
    all.begunAgain();
    all.change.job(seen.isJobManagerMissing()).ifPresent(all.events::add);
    all.events.addAll(seen.requests().events());
    return List.copyOf(all.events);
  }

  private void cluster() {
    if (change.appears(ConditionTypes.RUNNING, Reasons.JOB_MANAGER_MISSING, false)) {
      events.add(
          StatusEvent.warning(EventReasons.MISSING, DeploymentConditions.jobManagerMissing(seen)));
    }
  }

  private void inPlace() {
    InPlaceOutcome.Problem problem = seen.observed().inPlace().problem();
    if (problem != null && change.appears(ConditionTypes.STALLED, problem.reason(), true)) {
      events.add(StatusEvent.warning(problem.reason(), problem.message()));
    }
  }

  /** An operation never begins the same job twice. */
  private void begunAgain() {
    JobStatus job = after.jobStatus();
    if (job != null && isBegunAgain()) {
      events.add(
          StatusEvent.warning(
              EventReasons.JOB_BEGUN_AGAIN,
              "Job %s was begun again from what it was first started with, because its JobManager was"
                      .formatted(job.jobId())
                  + " restarted without high availability. To have Flink go on from the newest"
                  + " checkpoint, set high-availability.type: kubernetes and"
                  + " high-availability.storageDir."));
    }
  }

  /** The same job has another start, and nothing that would remember its checkpoints. */
  private boolean isBegunAgain() {
    JobStatus from = before.jobStatus();
    JobStatus to = after.jobStatus();
    JobSpec job = seen.deployedSpec().job();
    return from != null
        && to != null
        && from.startTime() != null
        && to.startTime() != null
        && !from.startTime().equals(to.startTime())
        && Objects.equals(from.jobId(), to.jobId())
        && job != null
        && job.upgradeMode() != UpgradeMode.STATELESS
        && !HighAvailabilityMode.of(seen.deployedSpec().configuration()).isOn();
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
                    StatusEvent.observed(
                        problem.reason(),
                        problem.message(),
                        problem.component().word(),
                        List.of(problem.at())))
            .toList();
  }

  /** That there is no node yet is usual while a cluster is made; the operation says so, too. */
  private static boolean counts(ClusterProblem problem, ResourcePhase phase) {
    return !phase.inFlight() || !problem.reason().equals(Reasons.UNSCHEDULABLE);
  }
}
