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
import dev.sluice.controller.status.ChangeEvents;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The events that a change of status gives rise to. Pure, and derived from the change alone: each
 * change is reported once, also across restarts. What an operation begins with is told by {@link
 * PlanEvents}, its outcome by its workflow.
 */
public final class StatusEvents {

  private final SeenDeployment snapshot;
  private final FlinkDeploymentStatus before;
  private final FlinkDeploymentStatus after;
  private final ChangeEvents change;
  private final List<StatusEvent> events = new ArrayList<>();

  private StatusEvents(SeenDeployment snapshot, FlinkDeploymentStatus after) {
    this.snapshot = snapshot;
    this.before = snapshot.status();
    this.after = after;
    this.change = new ChangeEvents(snapshot, after);
  }

  /** The events for a status that replaces that of the snapshot. */
  public static List<StatusEvent> of(SeenDeployment snapshot, FlinkDeploymentStatus after) {
    StatusEvents all = new StatusEvents(snapshot, after);
    all.events.addAll(all.change.spec());
    all.events.addAll(all.change.operation());
    all.cluster();
    all.inPlace();
    all.begunAgain();
    all.change.job(snapshot.isJobManagerMissing()).ifPresent(all.events::add);
    all.events.addAll(all.change.snapshots());
    all.events.addAll(snapshot.requests().events());
    return List.copyOf(all.events);
  }

  private void cluster() {
    if (change.appears(ConditionTypes.RUNNING, Reasons.JOB_MANAGER_MISSING, false)) {
      events.add(
          StatusEvent.warning(EventReasons.MISSING, ConditionMessages.jobManagerMissing(snapshot)));
    }
  }

  private void inPlace() {
    InPlaceOutcome.Problem problem = snapshot.observed().inPlace().problem();
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
    JobSpec job = snapshot.deployedSpec().job();
    return from != null
        && to != null
        && from.startTime() != null
        && to.startTime() != null
        && !from.startTime().equals(to.startTime())
        && Objects.equals(from.jobId(), to.jobId())
        && job != null
        && job.upgradeMode() != UpgradeMode.STATELESS
        && !HighAvailabilityMode.of(snapshot.deployedSpec().configuration()).isOn();
  }
}
