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
import dev.sluice.controller.observation.ObservedCluster.JobManager;
import dev.sluice.controller.observation.ObservedJob;
import dev.sluice.controller.observation.ObservedJob.Answered;
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
import java.util.Map;
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

  /** The part that follows cluster and job, also during an operation. */
  private record Live(
      @Nullable JobStatus job,
      JobManagerDeploymentStatus jobManager,
      @Nullable Map<String, String> clusterInfo,
      @Nullable TaskManagerInfo taskManager) {}

  @Override
  public FlinkDeploymentStatus project(SeenDeployment seen, ReconcileAction decision) {
    FlinkDeploymentStatus before = owned(seen.status());
    JobSnapshots.Outcome asked = seen.observed().asked();
    SnapshotTriggers triggers = asked == null ? JobSnapshots.known(seen) : asked.triggers();
    return state(seen, decision, before)
        .withRequests(seen.requests().handled())
        .withSnapshotTriggers(triggers.orNull());
  }

  private FlinkDeploymentStatus state(
      SeenDeployment seen, ReconcileAction decision, FlinkDeploymentStatus before) {
    if (tooEarly(seen, before)) {
      return before;
    }
    Live live = live(seen);
    ConditionHistory history =
        ConditionHistory.of(before::condition, seen.generation(), clock.instant());
    List<Condition> conditions = new DeploymentConditions(seen, decision, history).all();
    boolean underway = new OperationConditions(seen, decision, history).isUnderway();
    return FlinkDeploymentStatus.EMPTY
        .withJobStatus(live.job)
        .withError(error(seen, live, conditions))
        .withObservedGeneration(seen.generation())
        .withLifecycleState(
            Lifecycle.of(
                seen,
                underway,
                isLost(seen, live),
                live.jobManager == JobManagerDeploymentStatus.READY || seen.hasFinished()))
        .withClusterInfo(live.clusterInfo)
        .withJobManagerDeploymentStatus(live.jobManager)
        .withTaskManager(live.taskManager)
        .withConditions(conditions);
  }

  /** While the answer of Flink is on its way, half of a new status is worse than the old one. */
  private static boolean tooEarly(SeenDeployment seen, FlinkDeploymentStatus before) {
    Long observed = before.observedGeneration();
    return !seen.phase().inFlight()
        && !seen.phase().isOpen()
        && seen.observed().job() instanceof Pending
        && observed != null
        && observed == seen.generation()
        && before.condition(ConditionTypes.READY).isPresent();
  }

  private static boolean isLost(SeenDeployment seen, Live live) {
    boolean failed = live.job != null && live.job.state() == FlinkJobState.FAILED;
    boolean held = seen.phase() == ResourcePhase.PARKED || seen.phase() == ResourcePhase.BLOCKED;
    boolean noCluster =
        live.jobManager == JobManagerDeploymentStatus.MISSING
            || live.jobManager == JobManagerDeploymentStatus.ERROR;
    return failed
        || seen.isJobManagerMissing()
        || (noCluster && (held || Lifecycle.hasFailed(seen)));
  }

  private static @Nullable String error(
      SeenDeployment seen, Live live, List<Condition> conditions) {
    return StatusError.of(seen, conditions, live.job, seen.status().error())
        .or(
            () ->
                seen.isJobManagerMissing()
                    ? Optional.of(
                        StatusError.text(
                            Reasons.JOB_MANAGER_MISSING,
                            DeploymentConditions.jobManagerMissing(seen)))
                    : Optional.empty())
        .orElse(null);
  }

  /** The observed state; while Flink was not queried yet, the last one. */
  private static Live live(SeenDeployment seen) {
    Live last = last(seen);
    ObservedJob observed = seen.observed().job();
    if (observed instanceof Pending) {
      return last;
    }
    if (observed instanceof Answered answered) {
      return new Live(
          answered
              .job()
              .map(job -> ShownJob.of(job, last.job))
              .orElseGet(() -> notAnswered(seen, last.job)),
          JobManagerDeploymentStatus.READY,
          ClusterInfo.of(seen, answered, last.clusterInfo),
          taskManager(seen));
    }
    return new Live(
        notAnswered(seen, last.job),
        jobManager(seen.observed().cluster().jobManager()),
        last.clusterInfo,
        taskManager(seen));
  }

  private static Live last(SeenDeployment seen) {
    FlinkDeploymentStatus status = seen.status();
    return new Live(
        status.jobStatus() == null ? null : ShownJob.ours(status.jobStatus()),
        Objects.requireNonNullElse(
            status.jobManagerDeploymentStatus(), JobManagerDeploymentStatus.MISSING),
        status.clusterInfo(),
        status.taskManager() == null ? taskManager(seen) : status.taskManager());
  }

  private static JobManagerDeploymentStatus jobManager(JobManager observed) {
    return switch (observed) {
      case MISSING -> JobManagerDeploymentStatus.MISSING;
      case STARTING -> JobManagerDeploymentStatus.DEPLOYING;
      case FAILING -> JobManagerDeploymentStatus.ERROR;
      case STOPPED, RUNNING -> JobManagerDeploymentStatus.DEPLOYED_NOT_READY;
    };
  }

  private static @Nullable JobStatus notAnswered(SeenDeployment seen, @Nullable JobStatus last) {
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
            && (seen.isJobManagerMissing() || (seen.wantsJob() && seen.endsForGood(last)));
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
