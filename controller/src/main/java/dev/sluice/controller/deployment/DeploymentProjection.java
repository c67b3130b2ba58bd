package dev.sluice.controller.deployment;

import dev.sluice.api.Labels;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.TaskManagerInfo;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.JobManagerDeploymentStatus;
import dev.sluice.controller.observation.ObservedJob;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.observation.ObservedJob.Pending;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.controller.reconcile.StatusProjection;
import dev.sluice.controller.snapshot.JobSnapshots;
import dev.sluice.controller.status.Lifecycle;
import dev.sluice.controller.status.ShownJob;
import dev.sluice.controller.status.StatusError;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Clock;
import java.util.List;
import java.util.Objects;

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
    FlinkDeploymentStatus before = owned(seen.resource());
    JobSnapshots.Outcome asked = seen.observed().asked();
    DeploymentView view = new DeploymentView(seen, decision, clock);
    return (view.isTooEarly() ? before : state(seen, view, before))
        .withRequests(seen.requests().handled())
        .withSnapshotTriggers(
            asked == null ? before.snapshotTriggers() : asked.triggers().orNull());
  }

  /** What is observed; while Flink was not queried yet, what was last. */
  private static FlinkDeploymentStatus state(
      SeenDeployment seen, DeploymentView view, FlinkDeploymentStatus before) {
    List<Condition> conditions = view.conditions();
    JobStatus job = view.job();
    JobManagerDeploymentStatus jobManager = jobManager(seen, before);
    boolean answers =
        (jobManager == JobManagerDeploymentStatus.READY && !seen.lacksTaskManagers())
            || seen.end().filter(it -> it.state() == FlinkJobState.FINISHED).isPresent();
    boolean keepsTaskManagers = seen.flink() instanceof Pending && before.taskManager() != null;
    return FlinkDeploymentStatus.EMPTY
        .withJobStatus(job)
        .withError(
            StatusError.of(seen, conditions, job, before.error())
                .or(() -> StatusError.missing(conditions))
                .orElse(null))
        .withObservedGeneration(seen.generation())
        .withLifecycleState(view.lifecycle(isLost(seen, jobManager), answers))
        .withClusterInfo(
            seen.flink() instanceof Answered answered
                ? ClusterInfo.of(seen, answered, before.clusterInfo())
                : before.clusterInfo())
        .withJobManagerDeploymentStatus(jobManager)
        .withTaskManager(keepsTaskManagers ? before.taskManager() : taskManager(seen))
        .withConditions(conditions);
  }

  private static boolean isLost(SeenDeployment seen, JobManagerDeploymentStatus jobManager) {
    boolean held = seen.phase() == ResourcePhase.PARKED || seen.phase() == ResourcePhase.BLOCKED;
    boolean noCluster =
        jobManager == JobManagerDeploymentStatus.MISSING
            || jobManager == JobManagerDeploymentStatus.ERROR;
    return seen.isMissing() || (noCluster && (held || Lifecycle.hasFailed(seen)));
  }

  private static JobManagerDeploymentStatus jobManager(
      SeenDeployment seen, FlinkDeploymentStatus before) {
    ObservedJob observed = seen.flink();
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

  private static TaskManagerInfo taskManager(SeenDeployment seen) {
    String selector =
        "%s=%s,%s=%s"
            .formatted(
                Labels.APP, seen.ref().name(), Labels.COMPONENT, Labels.COMPONENT_TASK_MANAGER);
    return new TaskManagerInfo(selector, ClusterInfo.taskManagers(seen));
  }

  @Override
  public FlinkDeploymentStatus owned(FlinkDeployment resource) {
    FlinkDeploymentStatus status = resource.getStatus();
    return FlinkDeploymentStatus.EMPTY
        .withJobStatus(ShownJob.owned(status))
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
}
