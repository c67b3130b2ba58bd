package dev.sluice.controller.deployment;

import dev.sluice.api.Labels;
import dev.sluice.api.common.EndedJob;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.SnapshotTriggers;
import dev.sluice.api.common.TaskManagerInfo;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.JobManagerDeploymentStatus;
import dev.sluice.controller.common.ConditionHistory;
import dev.sluice.controller.observation.ObservedJob;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.observation.ObservedJob.Pending;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.controller.reconcile.StatusProjection;
import dev.sluice.controller.snapshot.JobSnapshots;
import dev.sluice.controller.status.Lifecycle;
import dev.sluice.controller.status.OperationConditions;
import dev.sluice.controller.status.ShownJob;
import dev.sluice.controller.status.StatusError;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The controller's part of the status of a FlinkDeployment: what is true now. */
public final class DeploymentProjection
    implements StatusProjection<FlinkDeployment, FlinkDeploymentStatus, SeenDeployment> {

  private final Clock clock;

  /** Dates conditions by this clock. */
  public DeploymentProjection(Clock clock) {
    this.clock = clock;
  }

  @Override
  public FlinkDeploymentStatus project(SeenDeployment seen, ReconcileAction decision) {
    FlinkDeploymentStatus before = owned(seen.status());
    JobSnapshots.Outcome asked = seen.observed().asked();
    SnapshotTriggers triggers = asked == null ? JobSnapshots.known(seen) : asked.triggers();
    return (tooEarly(seen, before) ? before : state(seen, decision, before))
        .withRequests(seen.requests().handled())
        .withSnapshotTriggers(triggers.orNull());
  }

  /** While the answer of Flink is on its way, half of a new status is worse than the old one. */
  private static boolean tooEarly(SeenDeployment seen, FlinkDeploymentStatus before) {
    return !seen.phase().inFlight()
        && !seen.phase().isOpen()
        && seen.observed().job() instanceof Pending
        && Objects.equals(before.observedGeneration(), seen.generation())
        && before.condition(ConditionTypes.READY).isPresent();
  }

  /** What is observed; while Flink was not queried yet, what was last. */
  private FlinkDeploymentStatus state(
      SeenDeployment seen, ReconcileAction decision, FlinkDeploymentStatus before) {
    ConditionHistory history =
        ConditionHistory.of(before::condition, seen.generation(), clock.instant());
    List<Condition> conditions = new DeploymentConditions(seen, decision, history).all();
    boolean underway = new OperationConditions(seen, decision, history).isUnderway();
    JobStatus job = job(seen, before.jobStatus());
    JobManagerDeploymentStatus jobManager = jobManager(seen, before);
    boolean answers = jobManager == JobManagerDeploymentStatus.READY || seen.hasFinished();
    boolean keepsTaskManagers =
        seen.observed().job() instanceof Pending && before.taskManager() != null;
    return FlinkDeploymentStatus.EMPTY
        .withJobStatus(job)
        .withError(error(seen, job, conditions))
        .withObservedGeneration(seen.generation())
        .withLifecycleState(Lifecycle.of(seen, underway, isLost(seen, job, jobManager), answers))
        .withClusterInfo(
            seen.observed().job() instanceof Answered answered
                ? ClusterInfo.of(seen, answered, before.clusterInfo())
                : before.clusterInfo())
        .withJobManagerDeploymentStatus(jobManager)
        .withTaskManager(keepsTaskManagers ? before.taskManager() : taskManager(seen))
        .withConditions(conditions);
  }

  private static boolean isLost(
      SeenDeployment seen, @Nullable JobStatus job, JobManagerDeploymentStatus jobManager) {
    boolean held = seen.phase() == ResourcePhase.PARKED || seen.phase() == ResourcePhase.BLOCKED;
    boolean noCluster =
        jobManager == JobManagerDeploymentStatus.MISSING
            || jobManager == JobManagerDeploymentStatus.ERROR;
    return (job != null && job.state() == FlinkJobState.FAILED)
        || seen.isJobManagerMissing()
        || (noCluster && (held || Lifecycle.hasFailed(seen)));
  }

  private static @Nullable String error(
      SeenDeployment seen, @Nullable JobStatus job, List<Condition> conditions) {
    return StatusError.of(seen, conditions, job, seen.status().error())
        .or(
            () ->
                Optional.of(seen)
                    .filter(SeenDeployment::isJobManagerMissing)
                    .map(DeploymentConditions::jobManagerMissing)
                    .map(why -> StatusError.text(Reasons.JOB_MANAGER_MISSING, why)))
        .orElse(null);
  }

  private static JobManagerDeploymentStatus jobManager(
      SeenDeployment seen, FlinkDeploymentStatus before) {
    ObservedJob observed = seen.observed().job();
    if (observed instanceof Pending) {
      return Objects.requireNonNullElse(
          before.jobManagerDeploymentStatus(), JobManagerDeploymentStatus.MISSING);
    }
    if (observed instanceof Answered) {
      return JobManagerDeploymentStatus.READY;
    }
    return switch (seen.observed().cluster().jobManager()) {
      case MISSING -> JobManagerDeploymentStatus.MISSING;
      case STARTING -> JobManagerDeploymentStatus.DEPLOYING;
      case FAILING -> JobManagerDeploymentStatus.ERROR;
      case STOPPED, RUNNING -> JobManagerDeploymentStatus.DEPLOYED_NOT_READY;
    };
  }

  private static @Nullable JobStatus job(SeenDeployment seen, @Nullable JobStatus last) {
    if (seen.observed().job() instanceof Pending) {
      return last;
    }
    Job job = seen.job().orElse(null);
    if (job != null) {
      return ShownJob.of(job, last);
    }
    if (!seen.deployedSpec().isApplication()) {
      return null;
    }
    if (seen.restsSuspended()) {
      return last == null ? null : last.withState(FlinkJobState.SUSPENDED);
    }
    EndedJob recorded = seen.endedJob().orElse(null);
    if (recorded != null && (seen.hasFinished() || seen.endedAs().isPresent())) {
      return Objects.requireNonNullElse(last, JobStatus.EMPTY)
          .withJobId(recorded.jobId())
          .withState(recorded.state());
    }
    // one that had come to its end does not become unknown because its JobManager is deleted
    boolean ended =
        last != null
            && last.state() != null
            && last.state().isGloballyTerminal()
            && (seen.isJobManagerMissing() || (seen.wantsJob() && seen.isRemembered(last.jobId())));
    return ended || seen.hasFinished() ? last : ShownJob.unknown(seen, last);
  }

  private static TaskManagerInfo taskManager(SeenDeployment seen) {
    String selector =
        "%s=%s,%s=%s"
            .formatted(
                Labels.APP, seen.ref().name(), Labels.COMPONENT, Labels.COMPONENT_TASK_MANAGER);
    return new TaskManagerInfo(selector, ClusterInfo.taskManagers(seen));
  }

  /** The status without the fields that are the workflow's. */
  static FlinkDeploymentStatus owned(FlinkDeploymentStatus status) {
    return FlinkDeploymentStatus.EMPTY
        .withJobStatus(status.jobStatus() == null ? null : ShownJob.ours(status.jobStatus()))
        .withError(status.error())
        .withObservedGeneration(status.observedGeneration())
        .withLifecycleState(status.lifecycleState())
        .withClusterInfo(status.clusterInfo())
        .withJobManagerDeploymentStatus(status.jobManagerDeploymentStatus())
        .withTaskManager(status.taskManager())
        .withConditions(status.conditions())
        .withSnapshotTriggers(status.snapshotTriggers())
        .withRequests(status.requests());
  }

  @Override
  public FlinkDeploymentStatus owned(FlinkDeployment resource) {
    return owned(resource.getStatus());
  }
}
