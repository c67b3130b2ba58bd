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
import dev.sluice.controller.observation.ObservedJob.Pending;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.controller.status.ShownJob;
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
  static ObservedJobStatus of(SeenDeployment snapshot) {
    ObservedJobStatus last = last(snapshot);
    ObservedJob observed = snapshot.observed().job();
    if (observed instanceof Pending) {
      return last;
    }
    if (observed instanceof Answered answered) {
      return new ObservedJobStatus(
          answered
              .job()
              .map(job -> ShownJob.of(job, last.job))
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

  private static ObservedJobStatus last(SeenDeployment snapshot) {
    FlinkDeploymentStatus status = snapshot.status();
    return new ObservedJobStatus(
        status.jobStatus() == null ? null : ShownJob.ours(status.jobStatus()),
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

  private static @Nullable JobStatus notAnswered(
      SeenDeployment snapshot, @Nullable JobStatus last) {
    if (!snapshot.deployedSpec().isApplication()) {
      return null;
    }
    if (snapshot.phase() == ResourcePhase.SETTLED && snapshot.isSuspended()) {
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
        : ShownJob.unknown(snapshot, last);
  }

  private static TaskManagerInfo taskManager(SeenDeployment snapshot) {
    String selector =
        "%s=%s,%s=%s"
            .formatted(
                Labels.APP, snapshot.ref().name(), Labels.COMPONENT, Labels.COMPONENT_TASK_MANAGER);
    return new TaskManagerInfo(selector, ClusterInfo.taskManagers(snapshot));
  }
}
