package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotSpec;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.JobReference;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.api.snapshot.SavepointSpec;
import dev.sluice.api.snapshot.TriggerType;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The periodic snapshots of a job that are too many go, and nothing else. */
class SnapshotCleanupIT extends ReconcilerScenario {

  @Test
  void when_a_snapshot_has_ended_the_oldest_that_is_too_much_is_deleted() {
    given_generation_1_is_deployed();
    merge(
        "{\"spec\":{\"flinkConfiguration\":"
            + "{\"kubernetes.operator.savepoint.history.max.count\":\"2\"}}}");
    soon().until(() -> condition("Ready").equals("True/UpToDate/2"));
    for (int i = 1; i <= 3; i++) {
      periodic(i);
    }
    theirs();

    completed(1);
    completed(2);
    completed(3);

    soon().until(() -> !names().contains("orders-savepoint-periodic-00000000000001"));
    assertThat(names())
        .containsExactlyInAnyOrder(
            "orders-savepoint-periodic-00000000000002",
            "orders-savepoint-periodic-00000000000003",
            "theirs");
    soon().until(() -> !events("SnapshotRemoved").isEmpty());
  }

  private void periodic(int number) {
    api.client()
        .resource(
            RequestedSnapshot.of(
                SnapshotType.SAVEPOINT,
                TriggerType.PERIODIC,
                JobKind.FLINK_DEPLOYMENT,
                resource().getMetadata(),
                "%014d".formatted(number),
                FlinkConfiguration.empty()))
        .create();
  }

  private void theirs() {
    FlinkStateSnapshot snapshot = new FlinkStateSnapshot();
    snapshot.setMetadata(
        new ObjectMetaBuilder().withNamespace(namespace).withName("theirs").build());
    snapshot.setSpec(
        new FlinkStateSnapshotSpec(
            new JobReference(JobKind.FLINK_DEPLOYMENT, NAME),
            new SavepointSpec(null, null, false, null),
            null,
            null));
    api.client().resource(snapshot).create();
  }

  /** As the workflow says it. */
  private void completed(int number) {
    api.client()
        .resources(FlinkStateSnapshot.class)
        .inNamespace(namespace)
        .withName("orders-savepoint-periodic-%014d".formatted(number))
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"status\":{\"state\":\"COMPLETED\",\"path\":\"file:/savepoints/savepoint-%d\"}}"
                .formatted(number));
  }

  private Set<String> names() {
    return api
        .client()
        .resources(FlinkStateSnapshot.class)
        .inNamespace(namespace)
        .list()
        .getItems()
        .stream()
        .map(it -> it.getMetadata().getName())
        .collect(Collectors.toSet());
  }
}
