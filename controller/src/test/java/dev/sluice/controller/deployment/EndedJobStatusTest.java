package dev.sluice.controller.deployment;

import static dev.sluice.api.common.OperationState.SUCCEEDED;
import static dev.sluice.api.common.OperationType.FINISH;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.LifecycleState;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.controller.observation.ObservedCluster.JobManager;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Clock;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

/** What is told of a job that has failed or was cancelled, once its JobManager was stopped. */
class EndedJobStatusTest {

  private static final StatusProjection PROJECTION =
      new StatusProjection(Clock.fixed(Deployed.NOW, ZoneOffset.UTC));

  @Test
  void a_failed_job_stays_FAILED_and_Ready_still_says_why() {
    Deployed failed = Deployed.running().failed("lost a table");
    FlinkDeploymentStatus before = project(failed);

    FlinkDeploymentStatus after =
        project(
            stopped(
                failed.status(failed.resource().getStatus().withConditions(before.conditions())),
                FlinkJobState.FAILED));

    assertThat(after.lifecycleState()).isEqualTo(LifecycleState.FAILED);
    assertThat(after.jobStatus().state()).isEqualTo(FlinkJobState.FAILED);
    assertThat(condition(after, "Ready").getMessage())
        .contains("lost a table")
        .isEqualTo(condition(before, "Ready").getMessage());
    assertThat(condition(after, "Running").getReason()).isEqualTo("Failed");
    assertThat(condition(after, "Running").getMessage())
        .contains("is FAILED; its JobManager was stopped since")
        .contains("restartNonce");
    assertThat(condition(after, "Stalled").getStatus()).isEqualTo("False");
  }

  @Test
  void a_cancelled_job_stays_CANCELED_and_is_not_Ready() {
    FlinkDeploymentStatus status = project(stopped(Deployed.running(), FlinkJobState.CANCELED));

    assertThat(status.jobStatus().state()).isEqualTo(FlinkJobState.CANCELED);
    assertThat(condition(status, "Ready").getStatus()).isEqualTo("False");
    assertThat(condition(status, "Ready").getMessage()).contains("is CANCELED");
  }

  private static Deployed stopped(Deployed deployed, FlinkJobState last) {
    FlinkDeploymentStatus status = deployed.resource().getStatus();
    JobStatus job = JobStatus.EMPTY.withJobId(Deployed.JOB_ID).withState(last);
    return deployed
        .status(status.withJobStatus(job))
        .operation(FINISH, SUCCEEDED, 6L, 6)
        .cluster(JobManager.STOPPED);
  }

  private static FlinkDeploymentStatus project(Deployed deployed) {
    DeploymentSnapshot snapshot = deployed.snapshot();
    return PROJECTION.project(snapshot, DeploymentPlanner.decide(snapshot));
  }

  private static Condition condition(FlinkDeploymentStatus status, String type) {
    return status.condition(type).orElseThrow();
  }
}
