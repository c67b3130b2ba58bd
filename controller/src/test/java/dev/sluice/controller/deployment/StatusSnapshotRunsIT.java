package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.SnapshotTrigger;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.common.StatusSnapshot;
import dev.sluice.api.common.StatusSnapshots;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.SnapshotInStatus;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.api.snapshot.TriggerType;
import dev.sluice.controller.common.KubernetesCluster;
import dev.sluice.workflows.model.StatusLane;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is asked for without a FlinkStateSnapshot has a run of its own, once. */
class StatusSnapshotRunsIT extends ReconcilerScenario {

  private static final String ENABLED = "kubernetes.operator.snapshot.resource.enabled";

  private void nonce(long nonce, boolean resources) {
    merge(
        "{\"spec\":{\"flinkConfiguration\":{\"%s\":\"%s\"},\"job\":{\"savepointTriggerNonce\":%d}}}"
            .formatted(ENABLED, resources, nonce));
  }

  @Test
  void a_nonce_starts_one_run_beside_the_operations_and_makes_no_resource() {
    given_generation_1_is_deployed();
    String run = runId();

    nonce(5, false);

    soon().until(this::isTaken);
    soon().until(() -> trigger() != null && trigger().snapshot() != null);
    String name = trigger().snapshot();
    assertThat(trigger()).isEqualTo(new SnapshotTrigger(5L, name));
    assertThat(name).matches("orders-savepoint-manual-5-[0-9a-f]{8}");
    assertThat(runId()).as("no operation").isEqualTo(run);
    assertThat(resources()).isEmpty();
    soon().until(() -> events("SnapshotRequested").size() == 1);
    assertThat(events("SnapshotRequested").get(0).getMessage())
        .isEqualTo(
            "A savepoint is taken for spec.job.savepointTriggerNonce 5; status.snapshots.savepoint"
                + " tells how it goes.");

    // when the controller was restarted and the run is gone: it is started again
    temporal.end(savepoints());
    restartController();
    soon().until(this::isTaken);

    // when it is done, it is not taken again
    controller.close(); // it would start a run that is gone again, until it has read the status
    workerSays(name, SnapshotState.COMPLETED, 0);
    temporal.end(savepoints());
    restartController();
    soon().until(() -> condition("Ready").equals("True/UpToDate/2"));
    nonce(6, true);
    soon().until(() -> resources().size() == 1);
    assertThat(isTaken()).isFalse();
    assertThat(resources().get(0).getMetadata().getName()).contains("-manual-6-");
  }

  @Test
  void another_nonce_waits_for_the_end_of_what_is_being_taken() {
    given_generation_1_is_deployed();
    nonce(5, false);
    soon().until(this::isTaken);
    soon().until(() -> trigger() != null && Long.valueOf(5).equals(trigger().nonce()));
    String name = trigger().snapshot();
    workerSays(name, SnapshotState.IN_PROGRESS, 0);

    nonce(6, false);
    soon().until(() -> condition("Ready").endsWith("/3"));
    assertThat(trigger().nonce()).isEqualTo(5L);

    workerSays(name, SnapshotState.COMPLETED, 0);
    soon().until(() -> Long.valueOf(6).equals(trigger().nonce()));
    assertThat(resources()).isEmpty();
  }

  private void workerSays(String name, SnapshotState state, int failures) {
    StatusSnapshot says =
        new StatusSnapshot(
            name,
            TriggerType.MANUAL.name(),
            "CANONICAL",
            null,
            SnapshotInStatus.progress(
                FlinkStateSnapshotStatus.EMPTY
                    .withState(state)
                    .withFailures(failures)
                    .withResultTimestamp(state.isFinal() ? "2026-11-21T08:00:00Z" : null)));
    patch(FlinkDeploymentStatus.EMPTY.withSnapshots(new StatusSnapshots(says, null)));
  }

  private void patch(FlinkDeploymentStatus status) {
    api.client()
        .resource(resource())
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            api.client().getKubernetesSerialization().asJson(Map.of("status", status)));
  }

  private boolean isTaken() {
    return isOpen(savepoints(), "Snapshot");
  }

  private boolean isOpen(String lane, String type) {
    return temporal
        .run(lane)
        .filter(run -> run.getStatus() == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING)
        .filter(run -> run.getWorkflowType().equals(type))
        .isPresent();
  }

  private String savepoints() {
    return lane(SnapshotType.SAVEPOINT);
  }

  private String lane(SnapshotType type) {
    return StatusLane.of(KubernetesCluster.of(api.client()).ref(resource()), type).laneId();
  }

  private @Nullable SnapshotTrigger trigger() {
    var triggers = resource().getStatus().snapshotTriggers();
    return triggers == null ? null : triggers.savepoint();
  }

  private List<FlinkStateSnapshot> resources() {
    return api.client()
        .resources(FlinkStateSnapshot.class)
        .inNamespace(namespace)
        .list()
        .getItems();
  }
}
