package dev.sluice.controller.status;

import dev.sluice.api.Labels;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.TaskManagerInfo;
import dev.sluice.api.deployment.ClusterSize;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.deployment.JobManagerDeploymentStatus;
import dev.sluice.controller.deployment.DeploymentSnapshot;
import dev.sluice.controller.deployment.ObservedCluster;
import dev.sluice.controller.deployment.ObservedJob;
import dev.sluice.controller.deployment.ObservedJob.Answered;
import dev.sluice.controller.deployment.ObservedJob.Job;
import dev.sluice.controller.deployment.ObservedJob.Pending;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The part of the status that says what cluster and job do. */
record ObservedJobStatus(
    @Nullable JobStatus job,
    JobManagerDeploymentStatus jobManager,
    @Nullable Map<String, String> clusterInfo,
    @Nullable TaskManagerInfo taskManager) {

  /** While an operation is at work: what was seen last, and that the job's state is not known. */
  static ObservedJobStatus frozen(DeploymentSnapshot situation) {
    ObservedJobStatus last = last(situation);
    JobStatus job = Objects.requireNonNullElse(last.job, JobStatus.EMPTY);
    return new ObservedJobStatus(
        job.withState(FlinkJobState.RECONCILING),
        situation.frozen() == null ? JobManagerDeploymentStatus.DEPLOYING : last.jobManager,
        last.clusterInfo,
        last.taskManager);
  }

  /** As it was seen; nobody asked Flink yet: as it was seen last. */
  static ObservedJobStatus observed(DeploymentSnapshot situation) {
    ObservedCluster cluster = situation.seen().cluster();
    ObservedJob seen = situation.seen().job();
    ObservedJobStatus last = last(situation);
    if (seen instanceof Pending) {
      return last;
    }
    if (seen instanceof Answered answered) {
      return new ObservedJobStatus(
          answered.job().map(job -> job(job, last.job)).orElseGet(() -> unknown(last.job)),
          JobManagerDeploymentStatus.READY,
          answered.clusterInfo().isEmpty() ? last.clusterInfo : answered.clusterInfo(),
          taskManager(situation));
    }
    return new ObservedJobStatus(
        unknown(last.job), cluster.jobManager(), last.clusterInfo, taskManager(situation));
  }

  private static ObservedJobStatus last(DeploymentSnapshot situation) {
    FlinkDeploymentStatus status = situation.status();
    return new ObservedJobStatus(
        status.jobStatus() == null ? null : ours(status.jobStatus()),
        Objects.requireNonNullElse(
            status.jobManagerDeploymentStatus(), JobManagerDeploymentStatus.MISSING),
        status.clusterInfo(),
        status.taskManager() == null ? taskManager(situation) : status.taskManager());
  }

  /** The fields of the job status that are the controller's. */
  static JobStatus ours(JobStatus status) {
    return JobStatus.EMPTY
        .withJobName(status.jobName())
        .withJobId(status.jobId())
        .withState(status.state())
        .withStartTime(status.startTime())
        .withUpdateTime(status.updateTime());
  }

  private static @Nullable JobStatus unknown(@Nullable JobStatus last) {
    return last == null ? null : last.withState(FlinkJobState.RECONCILING);
  }

  private static JobStatus job(Job job, @Nullable JobStatus last) {
    JobStatus now =
        JobStatus.EMPTY
            .withJobName(job.name())
            .withJobId(job.id())
            .withState(job.state())
            .withStartTime(Long.toString(job.started().toEpochMilli()));
    boolean same = last != null && now.equals(last.withUpdateTime(null));
    return now.withUpdateTime(
        same && last != null ? last.updateTime() : Long.toString(job.modified().toEpochMilli()));
  }

  private static TaskManagerInfo taskManager(DeploymentSnapshot situation) {
    FrozenSpec frozen = situation.frozen();
    FlinkDeploymentSpec spec = frozen == null ? situation.resource().getSpec() : frozen.spec();
    String selector =
        "%s=%s,%s=%s"
            .formatted(
                Labels.APP,
                situation.ref().name(),
                Labels.COMPONENT,
                Labels.COMPONENT_TASK_MANAGER);
    return new TaskManagerInfo(selector, ClusterSize.of(spec).taskManagers());
  }
}
