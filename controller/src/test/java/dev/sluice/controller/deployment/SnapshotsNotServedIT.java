package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.controller.common.KubernetesCluster;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.model.StatusLane;
import io.temporal.client.WorkflowExecutionDescription;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The controller on a real API server that defines FlinkDeployments alone. */
@ExtendWith(ApiServer.WithoutSnapshots.Extension.class)
class SnapshotsNotServedIT extends ReconcilerScenario {

  private static ApiServer older;

  @BeforeAll
  static void choose(ApiServer.WithoutSnapshots there) {
    older = there.server();
  }

  @Override
  ApiServer chosen(ApiServer usual) {
    return older;
  }

  @Test
  void a_deployment_is_served_and_a_nonce_is_answered_by_a_run_of_its_own() {
    given_generation_1_is_deployed();

    merge("{\"spec\":{\"job\":{\"savepointTriggerNonce\":5}}}");

    soon().until(() -> savepoints().isPresent());
    assertThat(savepoints().orElseThrow().getWorkflowType()).isEqualTo("Snapshot");
    assertThat(status().snapshots().savepoint().triggerNonce()).isEqualTo(5L);
    assertThat(status().snapshots().savepoint().formatType()).isEqualTo("CANONICAL");
    soon().until(() -> Long.valueOf(5).equals(status().snapshotTriggers().savepoint().nonce()));
    soon().until(() -> condition("Ready").equals("True/UpToDate/2"));
  }

  private FlinkDeploymentStatus status() {
    return resource().getStatus();
  }

  private Optional<WorkflowExecutionDescription> savepoints() {
    return temporal.run(
        StatusLane.of(KubernetesCluster.of(api.client()).ref(resource()), SnapshotType.SAVEPOINT)
            .laneId());
  }
}
