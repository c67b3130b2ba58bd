package dev.sluice.controller.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.SnapshotTrigger;
import dev.sluice.api.common.SnapshotTriggers;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.controller.common.KubernetesCluster;
import dev.sluice.workflows.model.StatusLane;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What a FlinkSessionJob asks for without a FlinkStateSnapshot has a run of its own, once. The rest
 * is in StatusSnapshotRunsIT: the code is the same.
 */
class SessionJobStatusSnapshotsIT extends SessionJobScenario {

  private static final String ENABLED = "kubernetes.operator.snapshot.resource.enabled";

  private void asks(long nonce, boolean resources) {
    merge(
        ORDERS,
        "{\"spec\":{\"flinkConfiguration\":{\"%s\":\"%s\"},\"job\":{\"savepointTriggerNonce\":%d}}}"
            .formatted(ENABLED, resources, nonce));
  }

  @Test
  void a_nonce_starts_one_run_beside_the_operations_and_makes_no_resource() {
    given_orders_runs();

    asks(5, false);

    soon().until(this::isTaken);
    soon().until(() -> trigger() != null && trigger().snapshot() != null);
    String name = trigger().snapshot();
    assertThat(trigger()).isEqualTo(new SnapshotTrigger(5L, name, null));
    assertThat(name).matches("orders-savepoint-manual-5-[0-9a-f]{8}");
    assertThat(savepoints()).startsWith("FlinkSessionJob-savepoint_" + namespace + "_orders_");
    assertThat(isOpen(job(ORDERS), "Upgrade")).as("no operation").isFalse();
    assertThat(snapshots()).isEmpty();
    assertThat(message(ORDERS, "Ready")).as("it is not ignored").doesNotContain("no effect");
    soon().until(() -> events(ORDERS, "SnapshotRequested").size() == 1);
    assertThat(events(ORDERS, "SnapshotRequested").get(0).getMessage())
        .isEqualTo(
            "A savepoint is taken for spec.job.savepointTriggerNonce 5; status.snapshots.savepoint"
                + " tells how it goes.");

    // when the controller was restarted and the run is gone: it is started again
    temporal.end(savepoints());
    restartController();
    soon().until(this::isTaken);

    // when it is done, it is not taken again, and the next one is as the key says then
    controller.close(); // it would start a run that is gone again, until it has read the status
    workerHasTaken(name);
    temporal.end(savepoints());
    restartController();
    asks(6, true);
    soon().until(() -> snapshots().size() == 1);
    assertThat(isTaken()).isFalse();
    assertThat(snapshots().get(0).getMetadata().getName()).contains("-manual-6-");
  }

  private @Nullable SnapshotTriggers triggers() {
    return job(ORDERS).getStatus().snapshotTriggers();
  }

  private @Nullable SnapshotTrigger trigger() {
    return triggers() == null ? null : triggers().savepoint();
  }

  private void workerHasTaken(String name) {
    mergeStatus(
        ORDERS,
        """
        {"snapshots":{"savepoint":{"name":"%1$s","triggerType":"MANUAL","formatType":"CANONICAL",
          "status":{"state":"COMPLETED","failures":0,
            "resultTimestamp":"2026-11-21T08:00:00Z"}}}}
        """
            .formatted(name));
  }

  private boolean isTaken() {
    return isOpen(savepoints(), "Snapshot");
  }

  private String savepoints() {
    return StatusLane.of(
            KubernetesCluster.of(api.client()).ref(job(ORDERS)), SnapshotType.SAVEPOINT)
        .laneId();
  }
}
