package dev.sluice.controller.deployment;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.api.common.CheckpointInterval;
import dev.sluice.api.common.EndedJob;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.HighAvailabilityMode;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.deployment.InPlaceScaling;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.controller.job.Observed;
import dev.sluice.controller.job.RecoveryOptions;
import dev.sluice.controller.job.SeenJob;
import dev.sluice.controller.observation.ObservedCluster;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.observation.PollTarget;
import dev.sluice.controller.operation.NewRun.Loss;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.controller.status.SpecCheck;
import dev.sluice.workflows.model.ResourceRef;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A FlinkDeployment, what was observed of it, and what follows from both.
 *
 * @param ref the resource as workflows know it
 * @param observed what was observed in addition to the resource
 * @param check the newest spec, checked and compared with the frozen one
 * @param phase where the resource stands
 */
public record SeenDeployment(
    FlinkDeployment resource,
    ResourceRef ref,
    Observed<ObservedCluster> observed,
    SpecCheck<FrozenSpec> check,
    ResourcePhase phase)
    implements SeenJob<FlinkDeployment, ObservedCluster> {

  /** Puts together what is known. */
  static SeenDeployment of(
      FlinkDeployment resource,
      ResourceRef ref,
      Observed<ObservedCluster> observed,
      SpecCheck<FrozenSpec> check) {
    FrozenSpec frozen = check.frozen();
    ResourcePhase phase =
        check.phase(
            resource.getMetadata(),
            resource.getStatus(),
            frozen == null ? null : frozen.generation());
    return new SeenDeployment(resource, ref, observed, check, phase);
  }

  /** The same with more that was observed; no decision depends on that. */
  SeenDeployment with(Observed<ObservedCluster> now) {
    return new SeenDeployment(resource, ref, now, check, phase);
  }

  @Override
  public FlinkDeploymentStatus status() {
    return resource.getStatus();
  }

  @Override
  public @Nullable Long frozenGeneration() {
    FrozenSpec frozen = check.frozen();
    return frozen == null ? null : frozen.generation();
  }

  @Override
  public String deletion() {
    return hasJob() ? "Deleting the job and its cluster" : "Deleting the session cluster";
  }

  @Override
  public String recovered() {
    return hasJob() ? "the job" : "the session cluster";
  }

  @Override
  public boolean hasJob() {
    return deployedSpec().isApplication();
  }

  /**
   * What is, or is being, deployed, over the defaults of that time; the newest spec when nothing
   * ever was.
   */
  public FlinkDeploymentSpec deployedSpec() {
    FrozenSpec frozen = check.frozen();
    return frozen == null ? resource.getSpec() : frozen.effective();
  }

  /** Whether it is a session cluster without a TaskManager Deployment: its jobs get no slots. */
  boolean lacksTaskManagers() {
    return !hasJob() && observed.cluster().lacksTaskManagers();
  }

  /**
   * What the cluster that is there was made from: while the job is stopped for an upgrade, another
   * spec is frozen already. The stable one where the Deployment does not say.
   */
  FlinkDeploymentSpec runningSpec() {
    Long made = observed.cluster().generation();
    ReconciliationStatus reconciliation = status().reconciliationStatus();
    if (reconciliation == null || (made != null && made.equals(frozenGeneration()))) {
      return deployedSpec();
    }
    try {
      FrozenSpec stable = FrozenSpec.parseNullable(reconciliation.lastStableSpec());
      return stable == null ? deployedSpec() : stable.effective();
    } catch (IllegalArgumentException unreadable) {
      return deployedSpec(); // somebody has edited the status
    }
  }

  /** Whether the JobManager Deployment is gone, and nothing is under way to change that. */
  @Override
  public boolean isMissing() {
    return shouldRun() && !observed.cluster().present() && end().isEmpty();
  }

  /**
   * As it is recorded; of a job that has finished also as it was seen last, unless a JobManager is
   * there and silent: what it fails with is to be told.
   */
  @Override
  public Optional<EndedJob> end() {
    JobSpec job = deployedSpec().job();
    if (job == null || job.isSuspended()) {
      return Optional.empty();
    }
    return endedJob()
        .or(
            () ->
                Optional.ofNullable(status().jobStatus())
                    .filter(last -> last.state() == FlinkJobState.FINISHED)
                    .filter(last -> wantsJob() && !isOfEarlierJob(last))
                    .filter(last -> !observed.cluster().present() || flink() instanceof Answered)
                    .map(last -> new EndedJob(last.jobId(), last.state(), null, null, null)))
        .filter(it -> it.state() != null && isGone(it.jobId()));
  }

  /** The recorded end of the job that was started last, which may run again; else empty. */
  Optional<EndedJob> endedJob() {
    String started = startedJob();
    return Optional.ofNullable(status().endedJob())
        .filter(it -> it.jobId() != null && (started == null || started.equals(it.jobId())));
  }

  /** Whether Flink has no such job now, and no JobManager that might run it again. */
  boolean isGone(@Nullable String jobId) {
    return job().isEmpty() && (!observed.cluster().present() || isRemembered(jobId));
  }

  /** A JobManager that was restarted with high availability knows that its job has ended. */
  private boolean isRemembered(@Nullable String jobId) {
    return hasHighAvailability() && jobId != null && isExpected(jobId);
  }

  /** One that had come to its end does not become unknown because its JobManager is deleted. */
  @Override
  public boolean isStillEnded(JobStatus last) {
    return last.state() != null
        && last.state().isGloballyTerminal()
        && (isMissing() || (wantsJob() && isRemembered(last.jobId())));
  }

  boolean hasHighAvailability() {
    return HighAvailabilityMode.of(deployedSpec().configuration()).isOn();
  }

  @Override
  public @Nullable String expectedJob() {
    return observed.cluster().jobId();
  }

  /** Whether the cluster may have been made for that job. */
  boolean isExpected(String jobId) {
    return expectedJob() == null || jobId.equals(expectedJob());
  }

  private @Nullable String startedJob() {
    RecordedState recorded = status().recordedState();
    return recorded == null ? null : recorded.startedJob();
  }

  /** What was seen last is the end of the job before: another was started, and not seen yet. */
  boolean isOfEarlierJob(JobStatus last) {
    String started = startedJob();
    return started != null && last.jobId() != null && !started.equals(last.jobId());
  }

  /**
   * The configuration that the operator itself goes by: of the resource now, so that its keys take
   * effect with the next look; over the defaults that it was deployed with. The one that is
   * deployed while that of the resource is not valid.
   */
  @Override
  public FlinkConfiguration operatorConfiguration() {
    FrozenSpec frozen = check.frozen();
    if (frozen == null || !check.isValid()) {
      return deployedSpec().configuration();
    }
    return frozen.operatorConfiguration(resource.getSpec());
  }

  @Override
  public boolean isRescale() {
    FrozenSpec frozen = check.frozen();
    return frozen != null
        && check.isValid()
        && InPlaceScaling.isToldByVertices(
            frozen,
            new FrozenSpec(
                resource.getSpec(),
                resource.getMetadata().getGeneration(),
                false,
                frozen.defaults()));
  }

  @Override
  public JobKind jobKind() {
    return JobKind.FLINK_DEPLOYMENT;
  }

  @Override
  public @Nullable JobSpec wantedJob() {
    return resource.getSpec().job();
  }

  @Override
  public @Nullable JobSpec deployedJob() {
    FrozenSpec frozen = check.frozen();
    return frozen == null ? null : frozen.spec().job();
  }

  @Override
  public @Nullable FlinkVersion flinkVersion() {
    return deployedSpec().flinkVersion();
  }

  /**
   * What Flink is asked for.
   *
   * @param subject as in {@link PollTarget}
   */
  PollTarget pollTarget(Endpoint endpoint, String subject) {
    return new PollTarget(endpoint, expectedJob(), subject, recovery().health(), !hasJob());
  }

  @Override
  public RecoveryOptions recovery() {
    FlinkDeploymentSpec deployed = deployedSpec();
    return RecoveryOptions.of(
        operatorConfiguration(),
        CheckpointInterval.effective(deployed.configuration(), deployed.job()));
  }

  @Override
  public Optional<Loss> lost() {
    return LossDetector.of(this);
  }

  @Override
  public boolean hasMadeSomething() {
    return status().reconciliationStatus() != null || observed.cluster().present();
  }

  @Override
  public @Nullable OperationType due() {
    return JobManagerShutdown.isDue(this) ? OperationType.FINISH : null;
  }

  @Override
  public @Nullable OperationType onRetry() {
    return phase == ResourcePhase.SETTLED && isMissing() ? nextOperation() : null;
  }

  @Override
  public boolean keepsCluster() {
    return JobManagerShutdown.isTooEarly(this);
  }
}
