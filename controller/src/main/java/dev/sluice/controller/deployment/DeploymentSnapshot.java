package dev.sluice.controller.deployment;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.HighAvailabilityMode;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.controller.inplace.InPlaceOutcome;
import dev.sluice.controller.observation.ObservedCluster.JobManager;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.observation.PollTarget;
import dev.sluice.controller.operation.AnnotationRequests;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.operation.Step;
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
public record DeploymentSnapshot(
    FlinkDeployment resource,
    ResourceRef ref,
    ObservedState observed,
    SpecCheck check,
    DeploymentPhase phase) {

  /** Puts together what is known. */
  public static DeploymentSnapshot of(
      FlinkDeployment resource, ResourceRef ref, ObservedState observed) {
    return of(resource, ref, observed, SpecCheck.of(resource));
  }

  /** Puts together what is known. */
  static DeploymentSnapshot of(
      FlinkDeployment resource, ResourceRef ref, ObservedState observed, SpecCheck check) {
    return new DeploymentSnapshot(
        resource, ref, observed, check, DeploymentPhase.of(resource, check));
  }

  /** With what came of what is changed in place; no decision depends on that. */
  DeploymentSnapshot withInPlace(InPlaceOutcome.@Nullable Problem problem) {
    return new DeploymentSnapshot(resource, ref, observed.withInPlace(problem), check, phase);
  }

  /** {@code metadata.generation}. */
  public long generation() {
    return resource.getMetadata().getGeneration();
  }

  /** The status as it stands in Kubernetes. */
  public FlinkDeploymentStatus status() {
    return resource.getStatus();
  }

  /** The operation in flight or the last one; null when there never was one. */
  public @Nullable OperationStatus operation() {
    return status().operation();
  }

  /**
   * Changes where the job may have changed: with its pods, and the begin and end of an operation.
   */
  String hint() {
    OperationStatus operation = operation();
    boolean open = operation != null && operation.isOpen();
    return observed.cluster().pods() + (open ? " operation" : "");
  }

  /** What the annotations ask for. */
  public AnnotationRequests requests() {
    boolean firstSeen =
        status().requests() == null && status().condition(ConditionTypes.READY).isEmpty();
    return AnnotationRequests.of(
        resource, status().requests(), observed.workflow().answers(), firstSeen);
  }

  /** The type of run that takes the resource to its newest spec. */
  public OperationType forward() {
    if (isSuspended(resource.getSpec())) {
      return OperationType.SUSPEND;
    }
    ReconciliationStatus reconciliation = status().reconciliationStatus();
    boolean begun = DeploymentPhase.begun(reconciliation);
    if (begun ? isOpen(OperationType.RESUME) : isSuspended()) {
      return OperationType.RESUME;
    }
    boolean ranBefore =
        check.frozen() != null
            && (!begun || (reconciliation != null && reconciliation.lastStableSpec() != null));
    return ranBefore ? OperationType.UPGRADE : OperationType.DEPLOY;
  }

  /**
   * The newest generation that an open operation knows of: its target, or for a rollback or a
   * recovery the one that is given up. The newest of the resource when the status does not say.
   */
  public long target() {
    OperationStatus operation = operation();
    Long target = operation == null ? null : operation.targetGeneration();
    if (operation == null || target == null) {
      return generation();
    }
    return operation.type() == OperationType.ROLLBACK || operation.type() == OperationType.RECOVER
        ? DeploymentPhase.newestKnown(operation)
        : target;
  }

  /**
   * The target generation: the newest, unless it is not valid, or the open operation brings the
   * same spec under an older one.
   */
  public long goal() {
    if (!phase.isOpen()) {
      return generation();
    }
    FrozenSpec frozen = check.frozen();
    boolean targetIsFrozen = frozen != null && frozen.generation() >= target();
    boolean nothingNew = !check.isValid() || (targetIsFrozen && check.sameAsFrozen());
    return nothingNew ? target() : Math.max(generation(), target());
  }

  /** Whether the way back to the last stable spec was begun and not finished. */
  public boolean isRollingBack() {
    ReconciliationStatus reconciliation = status().reconciliationStatus();
    return reconciliation != null && reconciliation.state() == ReconciliationState.ROLLING_BACK;
  }

  /** Whether an operation of this type is open. */
  public boolean isOpen(OperationType type) {
    OperationStatus operation = operation();
    return operation != null && operation.type() == type && operation.isOpen();
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
    return isDeployedAndWanted() && !observed.cluster().present() && !hasFinished();
  }

  /** Whether the end of a job has to be noted now, or its JobManager to be stopped. */
  public boolean mustFinish() {
    boolean over =
        JobManagerShutdown.stopAt(this).filter(at -> !at.isAfter(observed.at())).isPresent();
    OperationStatus operation = operation();
    if (operation == null || !isGivenUpFinish(operation)) {
      return over || JobManagerShutdown.mustNote(this);
    }
    // what could not be told when the job ended may be known when its JobManager is to go
    return over && Step.NOTE_END.title().equals(operation.step());
  }

  /** Tried and given up; it is not tried again by itself. */
  private static boolean isGivenUpFinish(OperationStatus operation) {
    return operation.type() == OperationType.FINISH
        && (operation.state() == OperationState.FAILED
            || operation.state() == OperationState.ABORTED);
  }

  /** Whether the job has finished by itself, and is not asked any more because of that. */
  public boolean hasFinished() {
    if (observed.cluster().endedAs() == FlinkJobState.FINISHED && runsJob() && isStopped()) {
      return true;
    }
    JobStatus last = status().jobStatus();
    if (last == null || last.state() != FlinkJobState.FINISHED || !runsJob()) {
      return false;
    }
    if (isOfEarlierJob(last)) {
      return false;
    }
    if (isOpen(OperationType.FINISH)) {
      return job().isEmpty();
    }
    JobManager jobManager = observed.cluster().jobManager();
    return isDeployedAndWanted()
        && (jobManager == JobManager.STOPPED
            || jobManager == JobManager.MISSING
            || isForgotten(last));
  }

  /**
   * FAILED or CANCELED, if that is how the job ended and its JobManager was stopped after that;
   * else empty.
   */
  public Optional<FlinkJobState> endedAs() {
    // what was noted with the stop is right also where this controller saw nothing of it
    return Optional.ofNullable(observed.cluster().endedAs())
        .or(() -> Optional.ofNullable(status().jobStatus()).map(JobStatus::state))
        .filter(state -> state == FlinkJobState.FAILED || state == FlinkJobState.CANCELED)
        .filter(state -> runsJob() && isStopped());
  }

  private boolean isStopped() {
    if (isOpen(OperationType.FINISH)) {
      return job().isEmpty();
    }
    // with the note of its job's end it was stopped for that, whatever is under way
    return observed.cluster().jobManager() == JobManager.STOPPED
        && (isDeployedAndWanted() || observed.cluster().endedAs() != null);
  }

  /** A JobManager that was restarted with high availability does not run it again. */
  boolean isForgotten(JobStatus ended) {
    return observed.job() instanceof Answered answered
        && answered.job().isEmpty()
        && endsForGood(ended);
  }

  /** Flink remembers with high availability that the job of the cluster has ended. */
  boolean endsForGood(JobStatus ended) {
    return HighAvailabilityMode.of(deployedSpec().configuration()).isOn()
        && ended.jobId() != null
        && ended.jobId().equals(observed.cluster().jobId());
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

  /** Whether that job is up, with every task. */
  boolean isJobUp() {
    return wantsJob() && job().filter(Job::isUp).isPresent();
  }

  boolean isDeployedAndWanted() {
    boolean deployed =
        check.frozen() != null && !DeploymentPhase.begun(status().reconciliationStatus());
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
        hint(),
        RecoveryOptions.of(this).health(),
        !deployedSpec().isApplication());
  }

  /** Whether no job is to run by the spec that is, or is being, deployed. */
  public boolean isSuspended() {
    return check.frozen() != null && isSuspended(deployedSpec());
  }

  private static boolean isSuspended(FlinkDeploymentSpec spec) {
    return spec.job() != null && spec.job().isSuspended();
  }

  private boolean runsJob() {
    return deployedSpec().job() != null && !isSuspended(deployedSpec());
  }

  /** The job, if Flink answered and knows one. */
  public Optional<Job> job() {
    return observed.job() instanceof Answered answered ? answered.job() : Optional.empty();
  }

  /** The value of an annotation on the resource, without blanks around; null when absent. */
  public @Nullable String annotation(String name) {
    var annotations = resource.getMetadata().getAnnotations();
    String value = annotations == null ? null : annotations.get(name);
    return value == null || value.isBlank() ? null : value.trim();
  }
}
