package dev.sluice.controller.sessionjob;

import dev.sluice.api.common.EndedJob;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.HighAvailabilityMode;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.api.common.WrittenTime;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.FlinkSessionJobStatus;
import dev.sluice.api.sessionjob.FrozenSessionJob;
import dev.sluice.api.sessionjob.Submission;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.validation.SessionJobKeys;
import dev.sluice.controller.job.Observed;
import dev.sluice.controller.job.RecoveryDecision;
import dev.sluice.controller.job.RecoveryOptions;
import dev.sluice.controller.job.SeenJob;
import dev.sluice.controller.observation.ObservedJob;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.observation.ObservedJob.Pending;
import dev.sluice.controller.observation.ObservedJob.Unreachable;
import dev.sluice.controller.operation.NewRun.Loss;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.controller.status.SpecCheck;
import dev.sluice.workflows.model.ResourceRef;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A FlinkSessionJob, what was observed of it, and what follows from both.
 *
 * @param resource as the informer has it
 * @param ref the resource as workflows know it
 * @param observed what was observed in addition to the resource
 * @param check the newest spec, checked and compared with the frozen one
 * @param phase where the resource stands
 */
record SeenSessionJob(
    FlinkSessionJob resource,
    ResourceRef ref,
    Observed<SeenCluster> observed,
    SpecCheck<FrozenSessionJob> check,
    ResourcePhase phase)
    implements SeenJob<FlinkSessionJob, SeenCluster> {

  static SeenSessionJob of(
      FlinkSessionJob resource, ResourceRef ref, Observed<SeenCluster> observed) {
    SpecCheck<FrozenSessionJob> check = SessionJobCheck.of(resource, observed.cluster());
    FrozenSessionJob frozen = check.frozen();
    ResourcePhase phase =
        check.phase(
            resource.getMetadata(),
            resource.getStatus(),
            frozen == null ? null : frozen.generation());
    return new SeenSessionJob(resource, ref, observed, check, phase);
  }

  @Override
  public FlinkSessionJobStatus status() {
    return resource.getStatus();
  }

  /** Of a cluster that is not there nobody says anything. */
  @Override
  public ObservedJob flink() {
    boolean silent =
        observed.job() instanceof Pending && cluster().readiness() != SeenCluster.Readiness.READY;
    return silent ? new Unreachable(cluster().message()) : observed.job();
  }

  SeenCluster cluster() {
    return observed.cluster();
  }

  @Override
  public @Nullable Long frozenGeneration() {
    return check.frozen() == null ? null : check.frozen().generation();
  }

  @Override
  public String deletion() {
    return "Ending the job on the session cluster";
  }

  @Override
  public String recovered() {
    return "the job";
  }

  @Override
  public String whereItRuns() {
    return "On session cluster %s.".formatted(cluster().name());
  }

  /** Only what starts a job waits for its cluster. */
  @Override
  public String waitsFor() {
    boolean starts =
        phase != ResourcePhase.DELETING
            && (!resource.getSpec().isSuspended() || isRollingBack())
            && cluster().readiness() != SeenCluster.Readiness.READY;
    return starts ? cluster().advice() : "";
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
        && !asked.isAfter(WrittenTime.read(last.since()).orElse(Instant.EPOCH));
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

  /** As it was seen last. */
  @Override
  public Optional<EndedJob> end() {
    return Optional.ofNullable(status().jobStatus())
        .filter(it -> it.state() != null && it.state().isGloballyTerminal())
        .filter(it -> wantsJob() && job().isEmpty() && Objects.equals(it.jobId(), jobId()))
        .map(it -> new EndedJob(it.jobId(), it.state(), null, null, null));
  }

  @Override
  public @Nullable String expectedJob() {
    return jobId();
  }

  @Override
  public RecoveryOptions recovery() {
    return RecoveryOptions.of(configuration(), configuration());
  }

  /** It has failed, or its session cluster answers and does not know it. */
  @Override
  public Optional<Loss> lost() {
    if (!wantsJob() || cluster().readiness() != SeenCluster.Readiness.READY) {
      return Optional.empty();
    }
    boolean unknown =
        jobId() != null
            && flink() instanceof Answered answered
            && answered.job().isEmpty()
            && end().isEmpty()
            && !mayHaveEnded();
    return unknown
        ? Optional.of(
                new Loss(
                    RecoveryCause.JOB_MANAGER_MISSING,
                    "the session cluster of FlinkDeployment %s does not know job %s any more"
                        .formatted(cluster().name(), jobId())))
            .filter(it -> recovery().missing())
        : job().filter(it -> recovery().failed()).flatMap(RecoveryDecision::failed);
  }

  /**
   * With high availability the cluster brings its jobs back by itself, also when it was replaced.
   * One that it does not know may have ended, and would run twice.
   */
  boolean mayHaveEnded() {
    return HighAvailabilityMode.of(cluster().forRules().configuration()).isOn();
  }

  /** Before Flink is asked to run a job, the status says which. */
  @Override
  public boolean hasMadeSomething() {
    return status().reconciliationStatus() != null || status().submission() != null;
  }

  /** A job that leaves a cluster gets the same spec again, on the cluster that comes next. */
  @Override
  public @Nullable OperationType due() {
    return phase == ResourcePhase.SETTLED && mustLeave() ? OperationType.UPGRADE : null;
  }

  /** What was aborted: the suspension that its cluster waits for. */
  @Override
  public @Nullable OperationType onRetry() {
    return isAwaited() && check.isValid() && hasRefusedToLeave() ? OperationType.UPGRADE : null;
  }

  /** As {@link SessionJobKeys#merged}. */
  FlinkConfiguration configuration() {
    return SessionJobKeys.merged(
        cluster().forRules().configuration(), resource.getSpec().configuration());
  }
}
