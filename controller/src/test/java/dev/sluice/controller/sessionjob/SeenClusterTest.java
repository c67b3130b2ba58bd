package dev.sluice.controller.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.controller.sessionjob.SeenCluster.Readiness;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SeenClusterTest {

  private final FlinkDeployment deployment = SessionJobScene.sessionCluster();

  private static void assertSeen(
      @Nullable FlinkDeployment deployment, Readiness readiness, String message) {
    SeenCluster seen = SeenCluster.of("session", deployment);
    assertThat(seen.readiness()).isEqualTo(readiness);
    assertThat(seen.message()).isEqualTo(message);
  }

  private void status(FlinkDeploymentStatus status) {
    deployment.setStatus(status);
  }

  @Test
  void aClusterThatRunsIsReady() {
    assertSeen(deployment, Readiness.READY, "");
  }

  @Test
  void aClusterThatIsNotThereIsWaitedFor() {
    assertSeen(null, Readiness.MISSING, "FlinkDeployment session does not exist");
  }

  @Test
  void aFlinkDeploymentWithAJobIsNoSessionCluster() {
    deployment.setStatus(FlinkDeploymentStatus.EMPTY);
    deployment.setSpec(
        deployment.getSpec().withJob(JobSpec.of("local:///job.jar", 1, UpgradeMode.STATELESS)));

    assertSeen(
        deployment,
        Readiness.APPLICATION,
        "FlinkDeployment session is no session cluster: it has a job of its own");
    assertThat(SeenCluster.of("session", deployment).advice())
        .as("the field can be changed as long as the job was never deployed")
        .endsWith(
            "[Name another one in spec.deploymentName of the FlinkSessionJob; if its job was"
                + " deployed before, delete the FlinkSessionJob and create it again instead.]");
  }

  @Test
  void aClusterThatIsDeletedSaysSo() {
    deployment.getMetadata().setDeletionTimestamp("2026-11-21T09:30:00Z");

    assertSeen(deployment, Readiness.DELETING, "FlinkDeployment session is being deleted");
  }

  @Test
  void aClusterThatWasNeverDeployedIsNotReady() {
    status(FlinkDeploymentStatus.EMPTY);

    assertSeen(
        deployment,
        Readiness.NOT_READY,
        "The session cluster of FlinkDeployment session is not ready: nothing is deployed yet");
  }

  @Test
  void aClusterThatIsUpgradedIsNotReady() {
    status(
        deployment
            .getStatus()
            .withOperation(
                OperationStatus.EMPTY
                    .withType(OperationType.UPGRADE)
                    .withState(OperationState.RUNNING)));

    assertSeen(
        deployment,
        Readiness.NOT_READY,
        "The session cluster of FlinkDeployment session is not ready: Upgrade of it is at work");
  }

  @Test
  void aClusterThatDoesNotAnswerIsNotReady() {
    status(
        deployment
            .getStatus()
            .withConditions(List.of(SessionJobScene.running("Unknown", "It does not answer."))));

    assertSeen(
        deployment,
        Readiness.NOT_READY,
        "The session cluster of FlinkDeployment session is not ready: It does not answer.");
  }

  @Test
  void aClusterThatWasNotSeenYetIsNotReady() {
    status(deployment.getStatus().withConditions(List.of()));

    assertThat(SeenCluster.of("session", deployment).readiness()).isEqualTo(Readiness.NOT_READY);
  }

  @Test
  void theRulesGoByWhatIsDeployedAndNotByWhatIsWanted() {
    deployment.setSpec(deployment.getSpec().withFlinkVersion(FlinkVersion.V2_2));

    assertThat(SeenCluster.of("session", deployment).forRules().flinkVersion())
        .isEqualTo(FlinkVersion.V1_20);
  }

  @Test
  void whatIsNotDeployedYetIsNotAskedByTheRules() {
    status(FlinkDeploymentStatus.EMPTY);

    assertThat(SeenCluster.of("session", deployment).forRules().deployed()).isFalse();
  }
}
