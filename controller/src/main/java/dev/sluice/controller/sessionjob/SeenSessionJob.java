package dev.sluice.controller.sessionjob;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.FlinkSessionJobStatus;
import dev.sluice.api.sessionjob.FrozenSessionJob;
import dev.sluice.api.sessionjob.Submission;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.validation.SessionJobKeys;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.controller.operation.WorkflowState;
import dev.sluice.controller.reconcile.SeenLane;
import dev.sluice.controller.snapshot.SnapshotOwner;
import dev.sluice.controller.status.SpecCheck;
import dev.sluice.workflows.model.ResourceRef;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A FlinkSessionJob, what was observed of it, and what follows from both.
 *
 * @param resource as the informer has it
 * @param ref the resource as workflows know it
 * @param observed what was observed beside the resource
 * @param check the newest spec, checked and compared with the frozen one
 * @param phase where the resource stands
 */
record SeenSessionJob(
    FlinkSessionJob resource,
    ResourceRef ref,
    ObservedSessionJob observed,
    SpecCheck<FrozenSessionJob> check,
    ResourcePhase phase)
    implements SnapshotOwner, SeenLane<FlinkSessionJob> {

  static SeenSessionJob of(FlinkSessionJob resource, ResourceRef ref, ObservedSessionJob observed) {
    SpecCheck<FrozenSessionJob> check = SessionJobCheck.of(resource, observed.cluster());
    FrozenSessionJob frozen = check.frozen();
    ResourcePhase phase =
        check.phase(
            resource.getMetadata(),
            resource.getStatus(),
            frozen == null ? null : frozen.generation());
    return new SeenSessionJob(resource, ref, observed, check, phase);
  }

  /** The resource as it is now, with what was observed. */
  SeenSessionJob with(FlinkSessionJob now, ObservedSessionJob all) {
    return of(now, ref, all);
  }

  @Override
  public FlinkSessionJobStatus status() {
    return resource.getStatus();
  }

  @Override
  public Instant at() {
    return observed.at();
  }

  @Override
  public WorkflowState workflow() {
    return observed.workflow();
  }

  SeenCluster cluster() {
    return observed.cluster();
  }

  @Override
  public @Nullable Long frozenGeneration() {
    return check.frozen() == null ? null : check.frozen().generation();
  }

  @Override
  public List<String> changesSinceStable() {
    return SessionJobCheck.changesSinceStable(resource, check);
  }

  @Override
  public boolean isSuspended() {
    return check.frozen() != null && check.frozen().spec().isSuspended();
  }

  @Override
  public String deletion() {
    return "Ending the job on the session cluster";
  }

  @Override
  public String recovered() {
    return "the job";
  }

  /** Only what starts a job waits for its cluster. */
  @Override
  public String waitsFor() {
    boolean starts =
        phase != ResourcePhase.DELETING
            && (!resource.getSpec().isSuspended() || isRollingBack())
            && observed.cluster().readiness() != SeenCluster.Readiness.READY;
    return starts ? observed.cluster().advice() : "";
  }

  @Override
  public Optional<Job> job() {
    return observed.job() instanceof Answered answered ? answered.job() : Optional.empty();
  }

  /** Whether a job of the spec that is deployed should run, and no operation is open. */
  boolean wantsJob() {
    return check.frozen() != null
        && !ResourcePhase.begun(status().reconciliationStatus())
        && !phase.isOpen()
        && !phase.inFlight()
        && !isSuspended();
  }

  @Override
  public boolean isJobUp() {
    return wantsJob() && job().filter(Job::isUp).isPresent();
  }

  @Override
  public JobKind jobKind() {
    return JobKind.FLINK_SESSION_JOB;
  }

  @Override
  public @Nullable JobSpec wantedJob() {
    return resource.getSpec().job();
  }

  @Override
  public @Nullable JobSpec deployedJob() {
    return check.frozen() == null ? null : check.frozen().spec().job();
  }

  @Override
  public @Nullable FlinkVersion flinkVersion() {
    return cluster().forRules().flinkVersion();
  }

  /** What its cluster is configured with counts where it does not say. */
  @Override
  public FlinkConfiguration operatorConfiguration() {
    return check.frozen() == null || check.isValid()
        ? configuration()
        : SessionJobKeys.merged(
            cluster().forRules().configuration(), check.frozen().spec().configuration());
  }

  /** Whether its job runs on a cluster that waits for it to be suspended, and may be suspended. */
  boolean mustLeave() {
    return isAwaited() && check.isValid() && !hasRefusedToLeave();
  }

  /** Whether a retry begins again what was aborted: the suspension that its cluster waits for. */
  boolean mayLeaveAfterAll() {
    return isAwaited() && check.isValid() && hasRefusedToLeave();
  }

  private boolean isAwaited() {
    return cluster().goes()
        && wantsJob()
        && job().filter(it -> !it.state().isGloballyTerminal()).isPresent();
  }

  /** Since its cluster began to wait for it, and not when an earlier operation ended. */
  private boolean hasRefusedToLeave() {
    OperationStatus last = operation();
    Instant asked = cluster().goesSince();
    return last != null
        && asked != null
        && last.type() == OperationType.UPGRADE
        && ResourcePhase.isAborted(last, generation())
        && !asked.isAfter(endOf(last));
  }

  private static Instant endOf(OperationStatus last) {
    try {
      return last.since() == null ? Instant.EPOCH : Instant.parse(last.since());
    } catch (DateTimeParseException writtenByHand) {
      return Instant.EPOCH;
    }
  }

  /** The job that Flink was asked to run last; null when there is none, or it was ended. */
  @Nullable String jobId() {
    return jobId(status());
  }

  static @Nullable String jobId(FlinkSessionJobStatus status) {
    Submission submission = status.submission();
    if (submission != null) {
      return Boolean.TRUE.equals(submission.removed()) ? null : submission.jobId();
    }
    // Apache's operator has no submission
    JobStatus last = status.jobStatus();
    return last == null ? null : last.jobId();
  }

  /** How that job ended by itself, as it was seen last; empty when it has not. */
  Optional<JobStatus> ended() {
    JobStatus last = status().jobStatus();
    return Optional.ofNullable(last)
        .filter(it -> it.state() != null && it.state().isGloballyTerminal())
        .filter(it -> wantsJob() && job().isEmpty() && Objects.equals(it.jobId(), jobId()));
  }

  /** As {@link SessionJobKeys#merged}. */
  FlinkConfiguration configuration() {
    return SessionJobKeys.merged(
        observed.cluster().forRules().configuration(), resource.getSpec().configuration());
  }
}
