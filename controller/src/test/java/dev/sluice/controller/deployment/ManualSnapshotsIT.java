package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.SnapshotTrigger;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.SavepointFormatType;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A nonce of a FlinkDeployment makes one FlinkStateSnapshot, whatever happens in between. */
class ManualSnapshotsIT extends ReconcilerScenario {

  @Test
  void another_nonce_makes_one_snapshot_and_no_operation() {
    given_generation_1_is_deployed();
    String run = runId();

    merge(
        "{\"spec\":{\"flinkConfiguration\":{\"kubernetes.operator.savepoint.format.type\":\"native\"},"
            + "\"job\":{\"savepointTriggerNonce\":5}}}");

    soon().until(() -> snapshots().size() == 1);
    FlinkStateSnapshot made = snapshots().get(0);
    assertThat(made.getMetadata().getName()).matches("orders-savepoint-manual-5-[0-9a-f]{8}");
    assertThat(made.getMetadata().getOwnerReferences()).isEmpty();
    assertThat(made.getMetadata().getLabels())
        .containsAllEntriesOf(
            Map.of(
                "app.kubernetes.io/managed-by", "sluice",
                "snapshot.type", "SAVEPOINT",
                "snapshot.trigger-type", "MANUAL",
                "job-reference.kind", "FlinkDeployment",
                "job-reference.name", "orders"));
    assertThat(made.getSpec().savepoint().formatType()).isEqualTo(SavepointFormatType.NATIVE);
    assertThat(made.getSpec().isDisposedWithResource()).isFalse();
    soon()
        .until(
            () -> new SnapshotTrigger(5L, made.getMetadata().getName()).equals(savepointTrigger()));
    soon().until(() -> condition("Ready").equals("True/UpToDate/2"));
    assertThat(runId()).isEqualTo(run);
    soon().until(() -> !events("SnapshotRequested").isEmpty());

    merge("{\"spec\":{\"job\":{\"checkpointTriggerNonce\":1}}}");
    soon().until(() -> snapshots().size() == 2);
  }

  @Test
  void what_was_made_before_a_crash_is_found_and_not_made_again() {
    given_generation_1_is_deployed();
    merge("{\"spec\":{\"job\":{\"savepointTriggerNonce\":5}}}");
    soon().until(() -> savepointTrigger() != null && savepointTrigger().snapshot() != null);
    String made = savepointTrigger().snapshot();
    controller.close();

    // as if the controller had crashed before its write
    api.client()
        .resource(resource())
        .subresource("status")
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":{\"snapshotTriggers\":null}}");
    assertThat(savepointTrigger()).isNull();
    restartController();

    soon().until(() -> new SnapshotTrigger(5L, made).equals(savepointTrigger()));
    assertThat(snapshots()).hasSize(1);
  }

  private @Nullable SnapshotTrigger savepointTrigger() {
    var triggers = resource().getStatus().snapshotTriggers();
    return triggers == null ? null : triggers.savepoint();
  }

  private List<FlinkStateSnapshot> snapshots() {
    return api.client()
        .resources(FlinkStateSnapshot.class)
        .inNamespace(namespace)
        .list()
        .getItems();
  }
}
