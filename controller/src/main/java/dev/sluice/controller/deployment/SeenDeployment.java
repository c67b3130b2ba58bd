package dev.sluice.controller.deployment;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.common.EndedJob;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.HighAvailabilityMode;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.deployment.InPlaceScaling;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.observation.PollTarget;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.controller.operation.WorkflowState;
import dev.sluice.controller.reconcile.SeenLane;
import dev.sluice.controller.snapshot.SnapshotOwner;
import dev.sluice.controller.status.SpecCheck;
import dev.sluice.workflows.model.ResourceRef;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A FlinkDeployment, what was observed of it, and what follows from both: the one thing that {@link
 * DeploymentPlanner} and the status are derived from.
 *
 * @param ref the resource as workflows know it
 * @param observed what was observed beside the resource
 * @param check the newest spec, checked and compared with the frozen one
 * @param phase where the resource stands
 */
public record SeenDeployment(
    FlinkDeployment resource,
    ResourceRef ref,
    ObservedState observed,
    SpecCheck<FrozenSpec> check,
    ResourcePhase phase)
    implements SnapshotOwner, SeenLane<FlinkDeployment> {

  /** Puts together what is known. */
  public static SeenDeployment of(
      FlinkDeployment resource, ResourceRef ref, ObservedState observed) {
    return of(resource, ref, observed, DeploymentCheck.of(resource, DefaultConfiguration.NONE));
  }

  /** Puts together what is known. */
  static SeenDeployment of(
      FlinkDeployment resource,
      ResourceRef ref,
      ObservedState observed,
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
  SeenDeployment with(ObservedState now) {
    return new SeenDeployment(resource, ref, now, check, phase);
  }

  @Override
  public FlinkDeploymentStatus status() {
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

  @Override
  public @Nullable Long frozenGeneration() {
    FrozenSpec frozen = check.frozen();
    return frozen == null ? null : frozen.generation();
  }

  @Override
  public List<String> changesSinceStable() {
    return DeploymentCheck.changesSinceStable(resource, check);
  }

  @Override
  public String deletion() {
    return isSession() ? "Deleting the session cluster" : "Deleting the job and its cluster";
  }

  @Override
  public String recovered() {
    return isSession() ? "the session cluster" : "the job";
  }

  private boolean isSession() {
    return !deployedSpec().isApplication();
  }

  /**
   * What is, or is being, deployed, over the defaults of that time; the newest spec when nothing
   * ever was.
   */
  public FlinkDeploymentSpec deployedSpec() {
    FrozenSpec frozen = check.frozen();
    return frozen == null ? resource.getSpec() : frozen.effective();
  }

  /**
   * Whether the JobManager Deployment is gone although it should be there, and nothing is under way
   * to change that.
   */
  public boolean isJobManagerMissing() {
    return isDeployedAndWanted()
        && !observed.cluster().present()
        && !hasFinished()
        && endedAs().isEmpty();
  }

  /** Whether the job has finished by itself, and is not asked any more because of that. */
  public boolean hasFinished() {
    if (recordedEnd().filter(FlinkJobState.FINISHED::equals).isPresent()) {
      return true;
    }
    JobStatus last = status().jobStatus();
    return last != null
        && last.state() == FlinkJobState.FINISHED
        && isDeployedAndWanted()
        && runsJob()
        && !isOfEarlierJob(last)
        && (!observed.cluster().present() || isForgotten(last));
  }

  /** FAILED or CANCELED, if that is recorded of the job, and nothing runs it any more. */
  public Optional<FlinkJobState> endedAs() {
    return recordedEnd().filter(state -> state != FlinkJobState.FINISHED);
  }

  /** How the job ended, where that is recorded and nothing runs it any more. */
  private Optional<FlinkJobState> recordedEnd() {
    return endedJob()
        .filter(it -> runsJob() && job().isEmpty())
        .filter(it -> !observed.cluster().present() || isRemembered(it.jobId()))
        .map(EndedJob::state);
  }

  /** The recorded end of the job that was started last, which may run again; else empty. */
  Optional<EndedJob> endedJob() {
    RecordedState recorded = status().recordedState();
    String started = recorded == null ? null : recorded.startedJob();
    return Optional.ofNullable(status().endedJob())
        .filter(it -> it.jobId() != null && (started == null || started.equals(it.jobId())));
  }

  /** A JobManager that was restarted with high availability does not run it again. */
  boolean isForgotten(JobStatus ended) {
    return observed.job() instanceof Answered answered
        && answered.job().isEmpty()
        && isRemembered(ended.jobId());
  }

  /** Flink remembers with high availability that the job of the cluster has ended. */
  boolean isRemembered(@Nullable String jobId) {
    String madeFor = observed.cluster().jobId();
    return HighAvailabilityMode.of(deployedSpec().configuration()).isOn()
        && jobId != null
        && (madeFor == null || madeFor.equals(jobId));
  }

  /** What was seen last is the end of the job before: another was started, and not seen yet. */
  boolean isOfEarlierJob(JobStatus last) {
    RecordedState recorded = status().recordedState();
    String started = recorded == null ? null : recorded.startedJob();
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

  /** Whether a job of the spec that is deployed should run, and no operation is open. */
  public boolean wantsJob() {
    return isDeployedAndWanted() && runsJob();
  }

  @Override
  public boolean isJobUp() {
    return wantsJob() && job().filter(Job::isUp).isPresent();
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

  boolean isDeployedAndWanted() {
    boolean deployed =
        check.frozen() != null && !ResourcePhase.begun(status().reconciliationStatus());
    return deployed
        && !phase.isOpen()
        && !phase.inFlight()
        && (!deployedSpec().isApplication() || runsJob());
  }

  /**
   * What Flink is asked for.
   *
   * @param subject as in {@link PollTarget}
   */
  PollTarget pollTarget(Endpoint endpoint, String subject) {
    return new PollTarget(
        endpoint,
        observed.cluster().jobId(),
        subject,
        RecoveryOptions.of(this).health(),
        !deployedSpec().isApplication());
  }

  @Override
  public boolean isSuspended() {
    return check.frozen() != null && isSuspended(deployedSpec());
  }

  private static boolean isSuspended(FlinkDeploymentSpec spec) {
    return spec.job() != null && spec.job().isSuspended();
  }

  private boolean runsJob() {
    return deployedSpec().job() != null && !isSuspended(deployedSpec());
  }

  @Override
  public Optional<Job> job() {
    return observed.job() instanceof Answered answered ? answered.job() : Optional.empty();
  }
}
