package dev.sluice.controller.deployment;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.HighAvailabilityMode;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.SnapshotTrigger;
import dev.sluice.api.common.SnapshotTriggers;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.inplace.InPlaceOutcome;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.operation.ReconcileAction.RemoveFinalizer;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The events that a change of status gives rise to. Pure, and derived from the change alone: each
 * change is reported once, also across restarts. What an operation begins with is told by {@link
 * PlanEvents}, its outcome by its workflow.
 */
public final class StatusEvents {

  private final DeploymentSnapshot snapshot;
  private final FlinkDeploymentStatus before;
  private final FlinkDeploymentStatus after;
  private final List<StatusEvent> events = new ArrayList<>();

  private StatusEvents(DeploymentSnapshot snapshot, FlinkDeploymentStatus after) {
    this.snapshot = snapshot;
    this.before = snapshot.status();
    this.after = after;
  }

  /** The events for a status that replaces that of the snapshot. */
  public static List<StatusEvent> of(DeploymentSnapshot snapshot, FlinkDeploymentStatus after) {
    StatusEvents change = new StatusEvents(snapshot, after);
    change.spec();
    change.operation();
    change.cluster();
    change.inPlace();
    change.job();
    change.snapshots();
    change.events.addAll(snapshot.requests().events());
    return List.copyOf(change.events);
  }

  /** The events for a resource whose finalizer is removed. */
  public static List<StatusEvent> of(RemoveFinalizer decision) {
    return decision.forced()
        ? List.of(
            StatusEvent.warning(
                EventReasons.CLEANUP_FAILED,
                "Finalizer removed by force. Kubernetes' garbage collector removes what is left of the"
                    + " cluster; high-availability metadata and checkpoints stay."))
        : List.of();
  }

  private void spec() {
    if (!snapshot.check().isValid()
        && appears(ConditionTypes.STALLED, ConditionMessages.invalidReason(snapshot), true)) {
      events.add(
          StatusEvent.warning(EventReasons.VALIDATION_ERROR, ConditionMessages.invalid(snapshot)));
    }
    if (!snapshot.check().ignored().isEmpty() && isNewGeneration()) {
      events.add(
          StatusEvent.normal(
              EventReasons.FIELDS_IGNORED,
              "Generation %d has fields without effect: %s."
                  .formatted(
                      snapshot.generation(), String.join("; ", snapshot.check().ignored()))));
    }
  }

  private void operation() {
    if (appears(ConditionTypes.PROGRESSING, Reasons.TEMPORAL_UNAVAILABLE, true)) {
      events.add(
          StatusEvent.warning(
              EventReasons.TEMPORAL_UNAVAILABLE, message(ConditionTypes.PROGRESSING)));
    }
    if (snapshot.phase() == DeploymentPhase.DELETING
        && appears(ConditionTypes.READY, Reasons.DELETING, false)) {
      events.add(
          StatusEvent.normal(EventReasons.CLEANUP, ConditionMessages.deleting(snapshot) + "."));
    }
  }

  private void cluster() {
    if (appears(ConditionTypes.RUNNING, Reasons.JOB_MANAGER_MISSING, false)) {
      events.add(
          StatusEvent.warning(EventReasons.MISSING, ConditionMessages.jobManagerMissing(snapshot)));
    }
  }

  private void inPlace() {
    InPlaceOutcome.Problem problem = snapshot.observed().inPlace();
    if (problem != null && appears(ConditionTypes.STALLED, problem.reason(), true)) {
      events.add(StatusEvent.warning(problem.reason(), problem.message()));
    }
  }

  /** Those that are taken without a FlinkStateSnapshot: the status alone asks for them. */
  private void snapshots() {
    for (SnapshotType type : SnapshotType.values()) {
      SnapshotTrigger asked = trigger(after, type);
      if (asked != null && asked.formatType() != null && !asked.equals(trigger(before, type))) {
        events.add(
            StatusEvent.normal(
                EventReasons.SNAPSHOT_REQUESTED,
                "A %s is taken for spec.job.%sTriggerNonce %d; status.snapshots.%s tells how it goes."
                    .formatted(type.word(), type.word(), asked.nonce(), type.word())));
      }
    }
  }

  private static @Nullable SnapshotTrigger trigger(
      FlinkDeploymentStatus status, SnapshotType type) {
    SnapshotTriggers triggers = status.snapshotTriggers();
    return triggers == null ? null : triggers.of(type);
  }

  /**
   * Changes of state only while no operation is open: an operation reports itself what it does to
   * the job. It never begins the same job twice.
   */
  private void job() {
    if (begunAgain()) {
      events.add(
          StatusEvent.warning(
              EventReasons.JOB_BEGUN_AGAIN,
              "Job %s was begun again from what it was first started with, because its JobManager was"
                      .formatted(id(after.jobStatus()))
                  + " restarted without high availability. To have Flink go on from the newest"
                  + " checkpoint, set high-availability.type: kubernetes and"
                  + " high-availability.storageDir."));
    }
    if (snapshot.phase().inFlight() || snapshot.phase().isOpen()) {
      return;
    }
    Optional<Job> failed = snapshot.job().filter(job -> job.state() == FlinkJobState.FAILED);
    if (failed.isPresent()) {
      failed.filter(job -> job.failure().isPresent()).ifPresent(this::failure);
      return;
    }
    if (wasProgressing() || snapshot.isJobManagerMissing()) {
      return;
    }
    FlinkJobState from = state(before.jobStatus());
    FlinkJobState to = state(after.jobStatus());
    if (from != null && to != null && from != to) {
      events.add(
          StatusEvent.normal(
              EventReasons.JOB_STATUS_CHANGED,
              "Job %s went from %s to %s.".formatted(id(after.jobStatus()), from, to)));
    }
  }

  /** The same job has another start, and nothing that would remember its checkpoints. */
  private boolean begunAgain() {
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

  /** Reported when the cause is known; until then only the status says FAILED. */
  private void failure(Job job) {
    String message = ConditionMessages.job(job);
    boolean reported =
        before
            .condition(ConditionTypes.RUNNING)
            .filter(running -> message.equals(running.getMessage()))
            .isPresent();
    if (!reported) {
      events.add(StatusEvent.warning(EventReasons.JOB_STATUS_CHANGED, message));
    }
  }

  /**
   * Whether a condition takes this reason now.
   *
   * @param again report it for each generation: an invalid one may follow an invalid one
   */
  private boolean appears(String type, String reason, boolean again) {
    Condition now = after.condition(type).orElse(null);
    if (now == null || !reason.equals(now.getReason())) {
      return false;
    }
    return before
        .condition(type)
        .map(
            old ->
                !reason.equals(old.getReason())
                    || (again
                        && !Objects.equals(
                            old.getObservedGeneration(), now.getObservedGeneration())))
        .orElse(true);
  }

  private boolean isNewGeneration() {
    return !Objects.equals(before.observedGeneration(), snapshot.generation());
  }

  private boolean wasProgressing() {
    return before
        .condition(ConditionTypes.PROGRESSING)
        .filter(c -> "True".equals(c.getStatus()))
        .isPresent();
  }

  private String message(String type) {
    return after.condition(type).map(Condition::getMessage).orElse("");
  }

  private static @Nullable FlinkJobState state(@Nullable JobStatus status) {
    return status == null ? null : status.state();
  }

  private static String id(@Nullable JobStatus status) {
    return status == null ? "" : String.valueOf(status.jobId());
  }
}
