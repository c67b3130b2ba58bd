package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.LifecycleState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.api.deployment.JobManagerDeploymentStatus;
import dev.sluice.controller.support.ControllerUnderTest;
import org.junit.jupiter.api.Test;

/** Runs, JobManagers and Deployments that go away. */
class LostClusterIT extends ReconcilerScenario {

  @Test
  void a_run_that_is_lost_is_started_again() {
    create(DeployedSpec.valid());
    soon().until(() -> isOpen("Deploy"));
    workflowSays(OperationType.DEPLOY, OperationState.RUNNING, 1, ReconciliationState.UPGRADING);
    String lost = temporal.run(lane()).orElseThrow().getExecution().getRunId();

    temporal.end(lane());

    soon().until(() -> isOpen("Deploy"));
    assertThat(temporal.run(lane()).orElseThrow().getExecution().getRunId()).isNotEqualTo(lost);
  }

  @Test
  void a_run_that_is_open_is_looked_after_without_filling_its_history() {
    create(DeployedSpec.valid());
    soon().until(() -> isOpen("Deploy"));
    workflowSays(OperationType.DEPLOY, OperationState.PARKED, 1, ReconciliationState.UPGRADING);
    soon().until(() -> condition("Stalled").startsWith("True"));

    controller.close();
    controller = ControllerUnderTest.start(api, namespace, temporal, flink);
    annotate("sluice.dev/retry", "seen by the second one");
    soon().until(() -> temporal.signals(lane()).contains("retry"));

    assertThat(temporal.signals(lane())).containsExactly("retarget 1", "retry");
  }

  @Test
  void a_deleted_JobManager_Deployment_is_brought_back_by_retry() {
    given_generation_1_is_deployed();
    recoveryIsOff();
    cluster().stop();
    soon().until(() -> condition("Ready").equals("False/JobManagerMissing/2"));

    annotate("sluice.dev/retry", "bring it back");

    soon().until(() -> isOpen("Upgrade"));
    assertThat(temporal.input(lane()).retry()).isTrue();
    soon().until(() -> events("RequestSent").size() == 1);
  }

  @Test
  void a_job_that_finishes_without_high_availability_is_kept_from_running_again() {
    given_generation_1_is_deployed();

    flink.job(JOB_ID, FlinkJobState.FINISHED, 0, 3);
    soon().until(() -> isOpen("Finish"));
    soon().until(() -> condition("Ready").equals("True/JobFinished/1"));
    cluster().stop();
    temporal.end(lane());

    soon()
        .until(
            () ->
                resource().getStatus().jobManagerDeploymentStatus()
                    == JobManagerDeploymentStatus.MISSING);
    assertThat(condition("Ready")).isEqualTo("True/JobFinished/1");
    assertThat(condition("Progressing")).startsWith("False/Idle");
    assertThat(resource().getStatus().jobStatus().state()).isEqualTo(FlinkJobState.FINISHED);
    assertThat(resource().getStatus().lifecycleState()).isEqualTo(LifecycleState.STABLE);
    assertThat(events("Missing")).isEmpty();
  }

  @Test
  void a_Finish_that_is_lost_before_it_has_said_anything_is_started_again() {
    given_generation_1_is_deployed();
    flink.job(JOB_ID, FlinkJobState.FINISHED, 0, 3);
    soon().until(() -> isOpen("Finish"));
    soon().until(() -> condition("Ready").equals("True/JobFinished/1"));

    temporal.end(lane());

    soon().until(() -> isOpen("Finish"));
  }

  @Test
  void a_deleted_JobManager_Deployment_is_brought_back_by_itself() {
    given_generation_1_is_deployed();

    cluster().stop();

    soon().until(() -> isOpen("Recover"));
    assertThat(temporal.input(lane()).recovery()).isEqualTo(RecoveryCause.JOB_MANAGER_MISSING);
    workflowSays(OperationType.RECOVER, OperationState.RUNNING, 1, ReconciliationState.UPGRADING);
    soon().until(() -> condition("Progressing").equals("True/Recovering/1"));
    cluster().start(JOB_ID);
    workflowSays(OperationType.RECOVER, OperationState.SUCCEEDED, 1, ReconciliationState.DEPLOYED);
    soon().until(() -> condition("Ready").equals("True/UpToDate/1"));
  }

  private void recoveryIsOff() {
    merge(
        "{\"spec\":{\"flinkConfiguration\":{\"kubernetes.operator.jm-deployment-recovery.enabled\":\"false\"}}}");
    soon().until(() -> condition("Ready").startsWith("True/UpToDate/2"));
  }
}
