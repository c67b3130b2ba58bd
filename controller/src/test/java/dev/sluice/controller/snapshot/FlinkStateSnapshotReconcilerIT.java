package dev.sluice.controller.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.api.snapshot.CheckpointSpec;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotSpec;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.JobReference;
import dev.sluice.api.snapshot.SavepointSpec;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.controller.common.KubernetesCluster;
import dev.sluice.controller.support.ControllerUnderTest;
import dev.sluice.controller.support.FakeFlink;
import dev.sluice.controller.support.TemporalUnderTest;
import dev.sluice.testing.ApiServer;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The controller with a real API server, its committed rights, and Temporal's test server. */
@ExtendWith(ApiServer.Extension.class)
class FlinkStateSnapshotReconcilerIT {

  private static final String NAME = "kept";
  private static final JobReference ORDERS = new JobReference(JobKind.FLINK_DEPLOYMENT, "orders");

  private ApiServer api;
  private TemporalUnderTest temporal;
  private ControllerUnderTest controller;
  private String namespace;

  @BeforeEach
  void startController(ApiServer server) {
    api = server;
    namespace = api.namespace();
    temporal = new TemporalUnderTest();
    controller = ControllerUnderTest.start(api, namespace, temporal, new FakeFlink());
  }

  @AfterEach
  void stopController() {
    controller.close();
    temporal.close();
  }

  private static ConditionFactory soon() {
    // a part of the status is null before it is first written
    return await()
        .ignoreExceptionsInstanceOf(NullPointerException.class)
        .pollInterval(Duration.ofMillis(50));
  }

  private void create(FlinkStateSnapshotSpec spec) {
    FlinkStateSnapshot snapshot = new FlinkStateSnapshot();
    snapshot.setMetadata(new ObjectMetaBuilder().withNamespace(namespace).withName(NAME).build());
    snapshot.setSpec(spec);
    FlinkStateSnapshot unused = api.client().resource(snapshot).create();
  }

  private void createSavepoint() {
    create(
        new FlinkStateSnapshotSpec(ORDERS, new SavepointSpec(null, null, null, null), null, null));
  }

  private @Nullable FlinkStateSnapshot find() {
    return api.client()
        .resources(FlinkStateSnapshot.class)
        .inNamespace(namespace)
        .withName(NAME)
        .get();
  }

  private FlinkStateSnapshot resource() {
    return Optional.ofNullable(find()).orElseThrow();
  }

  private String lane() {
    return KubernetesCluster.of(api.client()).ref(resource()).laneId();
  }

  private boolean isOpen(String lane, String type) {
    return temporal
        .run(lane)
        .filter(run -> run.getStatus() == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING)
        .filter(run -> run.getWorkflowType().equals(type))
        .isPresent();
  }

  private String condition(String type) {
    return Optional.ofNullable(find())
        .flatMap(it -> it.getStatus().condition(type))
        .map((Condition it) -> it.getStatus() + " " + it.getReason())
        .orElse("");
  }

  /** As the workflow's activities do it. */
  private void workflowSays(Map<String, Object> status) {
    GenericKubernetesResource body = new GenericKubernetesResource();
    body.setApiVersion("flink.apache.org/v1beta1");
    body.setKind(FlinkStateSnapshot.KIND);
    body.setMetadata(new ObjectMetaBuilder().withNamespace(namespace).withName(NAME).build());
    body.setAdditionalProperties(Map.of("status", status));
    GenericKubernetesResource unused =
        api.client()
            .resource(body)
            .subresource("status")
            .patch(
                new PatchContext.Builder()
                    .withPatchType(PatchType.SERVER_SIDE_APPLY)
                    .withFieldManager("sluice-workflow")
                    .withForce(true)
                    .build());
  }

  private Map<String, String> operation(String type, String state) {
    return Map.of("type", type, "state", state, "workflowId", lane(), "runId", "run-1");
  }

  @Test
  void aSavepointGetsItsFinalizerItsLabelsAndItsRun() {
    createSavepoint();

    soon().until(() -> isOpen(lane(), "Snapshot"));
    assertThat(resource().getMetadata().getFinalizers())
        .containsExactly("flinkstatesnapshots.flink.apache.org/finalizer");
    assertThat(resource().getMetadata().getLabels())
        .containsEntry("snapshot.type", "SAVEPOINT")
        .containsEntry("job-reference.name", "orders");
    soon().until(() -> condition("Progressing").equals("True Pending"));
  }

  @Test
  void aCheckpointHasNoFinalizerAndItsRunIsToldWhenItIsGone() {
    create(new FlinkStateSnapshotSpec(ORDERS, null, new CheckpointSpec(), null));
    soon().until(() -> isOpen(lane(), "Snapshot"));
    assertThat(resource().getMetadata().getFinalizers()).isEmpty();
    String lane = lane();

    List<?> unused = api.client().resource(resource()).delete();

    soon().until(() -> find() == null);
    soon().until(() -> temporal.signals(lane).contains("delete"));
  }

  @Test
  void theConditionsAndLabelsFollowWhatTheWorkflowSays() {
    createSavepoint();
    soon().until(() -> isOpen(lane(), "Snapshot"));

    workflowSays(
        Map.of(
            "state", "COMPLETED",
            "path", "s3://bucket/savepoint-1",
            "operation", operation("Snapshot", "Succeeded")));

    soon().until(() -> condition("Ready").equals("True SnapshotCompleted"));
    soon()
        .until(
            () -> "COMPLETED".equals(resource().getMetadata().getLabels().get("snapshot.state")));
  }

  @Test
  void oneThatExistsIsCompletedWithoutARun() {
    create(
        new FlinkStateSnapshotSpec(
            ORDERS, new SavepointSpec("s3://bucket/savepoint-1", null, null, true), null, null));

    soon().until(() -> condition("Ready").equals("True SnapshotCompleted"));
    assertThat(resource().getStatus().path()).isEqualTo("s3://bucket/savepoint-1");
    assertThat(resource().getStatus().resultTimestamp()).isNotNull();
    assertThat(temporal.run(lane())).isEmpty();
  }

  /** FLIP-446: from the first write on, also while Temporal is away. */
  @Test
  void itIsPendingBeforeItsRunHasWrittenAnything() {
    createSavepoint();

    soon().until(() -> resource().getStatus().state() == SnapshotState.TRIGGER_PENDING);
    assertThat(resource().getStatus().failures()).isZero();
  }

  @Test
  void aDeletedSavepointGoesWhenItsDisposalHasEnded() {
    createSavepoint();
    soon().until(() -> isOpen(lane(), "Snapshot"));
    workflowSays(
        Map.of(
            "state", "COMPLETED",
            "path", "s3://bucket/savepoint-1",
            "operation", operation("Snapshot", "Succeeded")));
    String lane = lane();
    soon().until(() -> condition("Ready").startsWith("True"));
    temporal.end(lane);

    List<?> unused = api.client().resource(resource()).delete();

    soon().until(() -> isOpen(lane, "Snapshot"));
    assertThat(find()).isNotNull();
    workflowSays(
        Map.of(
            "state", "COMPLETED",
            "path", "s3://bucket/savepoint-1",
            "operation", operation("Delete", "Failed")));
    soon().until(() -> find() == null);
  }
}
