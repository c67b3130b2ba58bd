package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.controller.common.KubernetesCluster;
import dev.sluice.controller.common.ServedDefinition;
import dev.sluice.controller.support.ControllerProcess;
import dev.sluice.controller.support.ControllerUnderTest;
import dev.sluice.testing.ApiServer;
import dev.sluice.testing.Patience;
import dev.sluice.workflows.model.StatusLane;
import io.temporal.client.WorkflowExecutionDescription;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The controller on a real API server that defines FlinkDeployments alone. */
@ExtendWith(ApiServer.WithoutSnapshots.Extension.class)
class SnapshotsNotServedIT extends ReconcilerScenario {

  @BeforeEach
  void startThere(ApiServer.WithoutSnapshots older) {
    controller.close();
    api = older.server();
    namespace = api.namespace();
    controller = ControllerUnderTest.start(api, namespace, temporal, flink);
  }

  @Test
  void it_is_seen_in_the_watched_namespaces_and_in_all() {
    assertThat(
            ServedDefinition.isServed(api.client(), FlinkStateSnapshot.class, List.of(namespace)))
        .isFalse();
    assertThat(ServedDefinition.isServed(api.client(), FlinkStateSnapshot.class, List.of()))
        .isFalse();
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

  @Test
  void the_process_starts_and_says_so(@TempDir Path folder) throws Exception {
    Path kubeconfig = folder.resolve("kubeconfig");
    Files.writeString(kubeconfig, api.kubeconfig());

    try (ControllerProcess process =
        ControllerProcess.start(
            folder,
            Map.of(
                "KUBECONFIG",
                kubeconfig.toString(),
                "SLUICE_WATCH_NAMESPACES",
                namespace,
                "SLUICE_LEADER_ELECTION",
                "false"))) {
      await()
          .atMost(Patience.times(2))
          .failFast("the controller has ended", () -> !process.isAlive())
          .untilAsserted(() -> assertThat(process.said()).contains("starting workflows at"));
      assertThat(process.said())
          .contains(
              "FlinkStateSnapshots are not served by",
              "FlinkSessionJobs are not served by",
              "FlinkBlueGreenDeployments are not served by");
    }
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
