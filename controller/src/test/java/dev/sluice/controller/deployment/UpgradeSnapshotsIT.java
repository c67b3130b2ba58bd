package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SavepointInfo;
import dev.sluice.api.common.SnapshotTrigger;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotSpec;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.JobReference;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.api.snapshot.SavepointFormatType;
import dev.sluice.api.snapshot.SavepointSpec;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.controller.common.KubernetesCluster;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A savepoint that an operation stopped the job with has one FlinkStateSnapshot. */
class UpgradeSnapshotsIT extends ReconcilerScenario {

  private static final long NOW = System.currentTimeMillis();
  private static final String PATH = "file:/savepoints/savepoint-1";

  @Test
  void it_is_made_once_however_often_the_controller_crashes() {
    given_generation_1_is_deployed();
    configured("kubernetes.operator.savepoint.dispose-on-delete", "true");

    taken(PATH);

    soon().until(() -> snapshots().size() == 1 && told() != null);
    FlinkStateSnapshot made = snapshots().get(0);
    String name = made.getMetadata().getName();
    assertThat(name).matches("orders-savepoint-upgrade-[0-9a-f]{8}");
    assertThat(told()).isEqualTo(new SnapshotTrigger(null, name));
    assertThat(made.getMetadata().getOwnerReferences()).isEmpty();
    assertThat(made.getMetadata().getLabels())
        .containsAllEntriesOf(
            Map.of(
                "app.kubernetes.io/managed-by", "sluice",
                "sluice.dev/job-reference-uid", resource().getMetadata().getUid(),
                "snapshot.type", "SAVEPOINT",
                "snapshot.trigger-type", "UPGRADE",
                "job-reference.kind", "FlinkDeployment",
                "job-reference.name", "orders"));
    assertThat(made.getSpec().savepoint())
        .isEqualTo(new SavepointSpec(PATH, SavepointFormatType.NATIVE, true, true));
    soon().until(() -> events("SnapshotRequested").size() == 1);

    // as if the controller had crashed before its write
    controller.close();
    api.client()
        .resource(resource())
        .subresource("status")
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":{\"snapshotTriggers\":null}}");
    restartController();
    soon().until(() -> new SnapshotTrigger(null, name).equals(told()));
    assertThat(snapshots()).hasSize(1);
  }

  /** A suspension and the upgrade after it, with no controller meanwhile. */
  @Test
  void each_of_two_that_follow_each_other_is_made() {
    given_generation_1_is_deployed();
    controller.close();
    String later = "file:/savepoints/savepoint-2";
    taken(later);
    FlinkDeployment unused =
        api.client()
            .resource(resource())
            .subresource("status")
            .patch(
                PatchContext.of(PatchType.JSON_MERGE),
                ("{\"status\":{\"earlierSavepoints\":[{\"timeStamp\":%d,\"location\":\"%s\","
                        + "\"triggerType\":\"UPGRADE\",\"formatType\":\"NATIVE\"}]}}")
                    .formatted(NOW, PATH));

    restartController();

    soon().until(() -> snapshots().size() == 2 && told() != null);
    assertThat(snapshots())
        .extracting(it -> it.getSpec().savepoint().path())
        .containsExactlyInAnyOrder(PATH, later);
    assertThat(told().snapshot())
        .isEqualTo(
            RequestedSnapshot.nameOfTaken(
                resource().getMetadata(), Savepoint.ofOperation(NOW, later, "NATIVE")));
  }

  /** A run would only find out what is known already. */
  @Test
  void it_is_complete_at_once_without_a_run_and_with_three_writes() {
    given_generation_1_is_deployed();
    controller.forgetWrites();

    taken(PATH);

    soon().until(() -> snapshots().size() == 1 && isReady(snapshots().get(0)));
    FlinkStateSnapshot made = snapshots().get(0);
    String name = made.getMetadata().getName();
    assertThat(made.getStatus().state()).isEqualTo(SnapshotState.COMPLETED);
    assertThat(made.getStatus().path()).isEqualTo(PATH);
    assertThat(made.getStatus().failures()).isZero();
    assertThat(made.getStatus().resultTimestamp())
        .as("when it was taken, not when it was made")
        .isEqualTo(Instant.ofEpochMilli(NOW).toString());
    assertThat(made.getMetadata().getLabels()).containsEntry("snapshot.state", "COMPLETED");
    assertThat(owner(made, "f:path")).isEqualTo("sluice-workflow");
    assertThat(owner(made, "f:conditions")).isEqualTo("sluice-controller");
    soon().until(() -> told() != null);
    assertThat(temporal.run(lane(made))).isEmpty();
    assertThat(controller.writes())
        .filteredOn(it -> it.contains("flinkstatesnapshots"))
        .containsExactly(
            "POST flinkstatesnapshots",
            "PATCH flinkstatesnapshots/" + name + "/status",
            "PATCH flinkstatesnapshots/" + name + "/status");
  }

  @Test
  void one_that_a_crash_left_without_a_status_needs_no_run_either() {
    given_generation_1_is_deployed();
    controller.close();
    made("false");

    restartController();

    soon().until(() -> isReady(snapshots().get(0)));
    assertThat(snapshots().get(0).getStatus().path()).isEqualTo(PATH);
    assertThat(temporal.run(lane(snapshots().get(0)))).isEmpty();
  }

  /** Its files go with it, as those of one that a run has recorded. */
  @Test
  void one_that_is_deleted_before_its_status_is_written_is_disposed_of() {
    given_generation_1_is_deployed();
    controller.close();
    made("true");
    api.client().resource(snapshots().get(0)).delete();
    String lane = lane(snapshots().get(0));

    restartController();

    soon()
        .until(
            () ->
                temporal
                    .run(lane)
                    .filter(it -> it.getWorkflowType().equals("DisposeSnapshot"))
                    .isPresent());
    assertThat(snapshots())
        .singleElement()
        .satisfies(it -> assertThat(it.getStatus().path()).isEqualTo(PATH));
  }

  private void made(String disposeOnDelete) {
    FlinkStateSnapshot unused =
        api.client()
            .resource(
                RequestedSnapshot.ofTaken(
                    JobKind.FLINK_DEPLOYMENT,
                    resource().getMetadata(),
                    Savepoint.ofOperation(NOW, PATH, "NATIVE"),
                    FlinkConfiguration.of(
                        Map.of(
                            "kubernetes.operator.savepoint.dispose-on-delete", disposeOnDelete))))
            .create();
  }

  private static boolean isReady(FlinkStateSnapshot snapshot) {
    return snapshot
        .getStatus()
        .condition("Ready")
        .filter(it -> it.getStatus().equals("True"))
        .isPresent();
  }

  private String lane(FlinkStateSnapshot snapshot) {
    return KubernetesCluster.of(api.client()).ref(snapshot).laneId();
  }

  /** The one field manager that has a field of the status. */
  private static String owner(FlinkStateSnapshot snapshot, String field) {
    List<String> owners =
        snapshot.getMetadata().getManagedFields().stream()
            .filter(it -> "status".equals(it.getSubresource()))
            .filter(it -> it.getFieldsV1().toString().contains(field + "="))
            .map(ManagedFieldsEntry::getManager)
            .toList();
    assertThat(owners).hasSize(1);
    return owners.get(0);
  }

  @Test
  void what_somebody_has_deleted_is_not_made_again_and_the_next_savepoint_is_another_one() {
    given_generation_1_is_deployed();
    taken(PATH);
    soon().until(() -> told() != null);
    String first = told().snapshot();
    api.client().resource(snapshots().get(0)).delete();
    soon().until(() -> snapshots().isEmpty());

    taken("file:/savepoints/savepoint-2");

    soon().until(() -> !told().snapshot().equals(first));
    assertThat(snapshots())
        .extracting(it -> it.getMetadata().getName())
        .containsExactly(told().snapshot());
  }

  @Test
  void a_deletion_ends_only_when_it_is_known_where_the_savepoint_is() {
    given_generation_1_is_deployed();
    api.client().resource(resource()).delete();
    soon().until(() -> isOpen("Delete"));
    taken(PATH);
    workflowSays(OperationType.DELETE, OperationState.SUCCEEDED, 1, ReconciliationState.DEPLOYED);

    soon().until(() -> resource() == null);

    assertThat(snapshots())
        .singleElement()
        .satisfies(it -> assertThat(it.getMetadata().getOwnerReferences()).isEmpty())
        .satisfies(it -> assertThat(it.getSpec().savepoint().path()).isEqualTo(PATH));
  }

  /** FLINK-31860: a namespace that is being deleted takes nothing new, and has to end. */
  @Test
  void a_namespace_that_is_being_deleted_is_not_held_up() {
    given_generation_1_is_deployed();
    api.client().resource(resource()).delete();
    soon().until(() -> isOpen("Delete"));
    api.client().namespaces().withName(namespace).delete();
    taken(PATH);
    workflowSays(OperationType.DELETE, OperationState.SUCCEEDED, 1, ReconciliationState.DEPLOYED);

    soon().until(() -> resource() == null);

    assertThat(snapshots()).isEmpty();
  }

  @Test
  void one_of_the_same_name_that_is_not_ours_is_left_alone_and_reported() {
    given_generation_1_is_deployed();
    taken(PATH);
    soon().until(() -> told() != null);
    String name = told().snapshot();
    controller.close();
    api.client().resource(snapshots().get(0)).delete();
    soon().until(() -> snapshots().isEmpty());
    FlinkStateSnapshot theirs = new FlinkStateSnapshot();
    theirs.setMetadata(new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
    theirs.setSpec(
        new FlinkStateSnapshotSpec(
            new JobReference(JobKind.FLINK_DEPLOYMENT, NAME),
            new SavepointSpec("file:/theirs", null, false, true),
            null,
            null));
    api.client().resource(theirs).create();
    api.client()
        .resource(resource())
        .subresource("status")
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":{\"snapshotTriggers\":null}}");

    restartController();

    soon()
        .until(
            () ->
                events("SnapshotError").stream()
                    .anyMatch(it -> it.getMessage().contains("was not made for this resource")));
    assertThat(snapshots().get(0).getSpec().savepoint().path()).isEqualTo("file:/theirs");
    soon().until(() -> told() != null); // it is not tried for ever
  }

  /** As with Apache's operator, whose savepoints of upgrades are in the history. */
  @Test
  void where_snapshots_are_switched_off_it_is_in_the_history_of_the_status_once() {
    given_generation_1_is_deployed();
    configured("kubernetes.operator.snapshot.resource.enabled", "false");

    taken(PATH);

    soon().until(() -> told() != null);
    Savepoint expected = Savepoint.ofOperation(NOW, PATH, "NATIVE");
    assertThat(savepoints().lastSavepoint()).isEqualTo(expected);
    assertThat(savepoints().savepointHistory()).containsExactly(expected);

    // as if the controller had crashed before its write
    controller.close();
    api.client()
        .resource(resource())
        .subresource("status")
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":{\"snapshotTriggers\":null}}");
    restartController();
    soon().until(() -> told() != null);
    assertThat(savepoints().savepointHistory()).containsExactly(expected);
    assertThat(snapshots()).as("nor is one made later").isEmpty();
    assertThat(events("SnapshotError")).isEmpty();
  }

  private SavepointInfo savepoints() {
    return resource().getStatus().jobStatus().savepointInfo();
  }

  private void configured(String key, String value) {
    merge("{\"spec\":{\"flinkConfiguration\":{\"%s\":\"%s\"}}}".formatted(key, value));
    soon().until(() -> condition("Ready").equals("True/UpToDate/2"));
  }

  /** As the workflow says it. */
  private void taken(String path) {
    api.client()
        .resource(resource())
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            ("{\"status\":{\"takenSavepoint\":{\"timeStamp\":%d,\"location\":\"%s\","
                    + "\"triggerType\":\"UPGRADE\",\"formatType\":\"NATIVE\"}}}")
                .formatted(NOW, path));
  }

  private @Nullable SnapshotTrigger told() {
    var triggers = resource().getStatus().snapshotTriggers();
    return triggers == null ? null : triggers.upgrade();
  }

  private List<FlinkStateSnapshot> snapshots() {
    return api.client()
        .resources(FlinkStateSnapshot.class)
        .inNamespace(namespace)
        .list()
        .getItems();
  }
}
