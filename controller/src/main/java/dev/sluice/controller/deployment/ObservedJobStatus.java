package dev.sluice.controller.deployment;

import dev.sluice.api.Labels;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.TaskManagerInfo;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.JobManagerDeploymentStatus;
import dev.sluice.controller.observation.ObservedCluster.JobManager;
import dev.sluice.controller.observation.ObservedJob;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.observation.ObservedJob.Pending;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The part of the status that says what cluster and job do now, also during an operation. */
record ObservedJobStatus(
    @Nullable JobStatus job,
    JobManagerDeploymentStatus jobManager,
    @Nullable Map<String, String> clusterInfo,
    @Nullable TaskManagerInfo taskManager) {

  /** As it was observed; while Flink was not queried yet, as it was observed last. */
  static ObservedJobStatus of(DeploymentSnapshot snapshot) {
    ObservedJobStatus last = last(snapshot);
    ObservedJob observed = snapshot.observed().job();
    if (observed instanceof Pending) {
      return last;
    }
    if (observed instanceof Answered answered) {
      return new ObservedJobStatus(
          answered
              .job()
              .map(job -> job(job, last.job))
              .orElseGet(() -> notAnswered(snapshot, last.job)),
          JobManagerDeploymentStatus.READY,
          ClusterInfo.of(snapshot, answered, last.clusterInfo),
          taskManager(snapshot));
    }
    return new ObservedJobStatus(
        notAnswered(snapshot, last.job),
        jobManager(snapshot.observed().cluster().jobManager()),
        last.clusterInfo,
        taskManager(snapshot));
  }

  private static ObservedJobStatus last(DeploymentSnapshot snapshot) {
    FlinkDeploymentStatus status = snapshot.status();
    return new ObservedJobStatus(
        status.jobStatus() == null ? null : ours(status.jobStatus()),
        Objects.requireNonNullElse(
            status.jobManagerDeploymentStatus(), JobManagerDeploymentStatus.MISSING),
        status.clusterInfo(),
        status.taskManager() == null ? taskManager(snapshot) : status.taskManager());
  }

  private static JobManagerDeploymentStatus jobManager(JobManager observed) {
    return switch (observed) {
      case MISSING -> JobManagerDeploymentStatus.MISSING;
      case STARTING -> JobManagerDeploymentStatus.DEPLOYING;
      case FAILING -> JobManagerDeploymentStatus.ERROR;
      case STOPPED, RUNNING -> JobManagerDeploymentStatus.DEPLOYED_NOT_READY;
    };
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

  private static @Nullable JobStatus notAnswered(
      DeploymentSnapshot snapshot, @Nullable JobStatus last) {
    if (!snapshot.deployedSpec().isApplication()) {
      return null;
    }
    if (snapshot.phase() == DeploymentPhase.SETTLED && snapshot.isSuspended()) {
      return last == null ? null : last.withState(FlinkJobState.SUSPENDED);
    }
    FlinkJobState noted = snapshot.observed().cluster().endedAs();
    if (noted != null && snapshot.observed().cluster().jobManager() == JobManager.STOPPED) {
      return Objects.requireNonNullElse(last, JobStatus.EMPTY)
          .withJobId(snapshot.observed().cluster().jobId())
          .withState(noted);
    }
    // one that had come to its end does not become unknown because its JobManager is deleted
    boolean ended =
        last != null
            && last.state() != null
            && last.state().isGloballyTerminal()
            && (snapshot.isJobManagerMissing()
                || (snapshot.wantsJob() && snapshot.endsForGood(last)));
    return ended || snapshot.hasFinished() || snapshot.endedAs().isPresent()
        ? last
        : unknown(snapshot, last);
  }

  private static @Nullable JobStatus unknown(
      DeploymentSnapshot snapshot, @Nullable JobStatus last) {
    if (last == null && !snapshot.phase().inFlight()) {
      return null; // no job was ever started, and none is being started
    }
    return Objects.requireNonNullElse(last, JobStatus.EMPTY).withState(FlinkJobState.RECONCILING);
  }

  private static JobStatus job(Job job, @Nullable JobStatus last) {
    JobStatus now =
        JobStatus.EMPTY
            .withJobName(job.name())
            .withJobId(job.id())
            .withState(job.state())
            .withStartTime(Long.toString(job.times().started().toEpochMilli()));
    boolean same = last != null && now.equals(last.withUpdateTime(null));
    return now.withUpdateTime(
        same && last != null
            ? last.updateTime()
            : Long.toString(job.times().modified().toEpochMilli()));
  }

  private static TaskManagerInfo taskManager(DeploymentSnapshot snapshot) {
    String selector =
        "%s=%s,%s=%s"
            .formatted(
                Labels.APP, snapshot.ref().name(), Labels.COMPONENT, Labels.COMPONENT_TASK_MANAGER);
    return new TaskManagerInfo(selector, ClusterInfo.taskManagers(snapshot));
  }
}
