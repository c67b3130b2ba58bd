package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.activities.flink.JobState;
import dev.sluice.api.Finalizers;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.controller.support.ControllerUnderTest;
import dev.sluice.controller.support.FakeCluster;
import dev.sluice.controller.support.FakeFlink;
import dev.sluice.controller.support.TemporalUnderTest;
import dev.sluice.controller.support.WorkflowStandIn;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.resource.ResourceRef;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The controller against a real API server and Temporal's test server. */
@ExtendWith(ApiServer.Extension.class)
class FlinkDeploymentReconcilerIT {

  private static final String NAME = "orders";
  private static final String JOB_ID = "00000000000000000000000000000001";

  private final FakeFlink flink = new FakeFlink().job(JOB_ID, JobState.RUNNING, 3, 3);
  private ApiServer api;
  private TemporalUnderTest temporal;
  private ControllerUnderTest controller;
  private String namespace;

  @BeforeEach
  void startController(ApiServer server) {
    api = server;
    namespace = api.namespace();
    temporal = new TemporalUnderTest();
    controller = ControllerUnderTest.start(api, namespace, temporal, flink);
  }

  @AfterEach
  void stopController() {
    controller.close();
    temporal.close();
  }

  @Test
  void a_new_resource_starts_Deploy_on_its_lane() {
    create(Deployed.spec());

    soon().until(() -> temporal.signals(lane()).equals(List.of("retarget 1")));

    assertThat(isOpen("Deploy")).isTrue();
    assertThat(temporal.summaries()).containsExactly("deploy " + namespace + "/orders 1");
  }

  @Test
  void the_finalizer_comes_without_a_word_about_the_spec() {
    create(Deployed.spec());
    Object before = raw().getAdditionalProperties().get("spec");

    soon()
        .until(
            () -> resource().getMetadata().getFinalizers().contains(Finalizers.FLINK_DEPLOYMENT));

    assertThat(raw().getAdditionalProperties().get("spec")).isEqualTo(before);
  }

  @Test
  void a_changed_spec_is_told_to_the_run_that_is_open() {
    create(Deployed.spec());
    soon().until(() -> temporal.signals(lane()).equals(List.of("retarget 1")));

    image("flink:2.2");

    soon()
        .untilAsserted(
            () -> assertThat(temporal.signals(lane())).containsExactly("retarget 1", "retarget 2"));
    assertThat(temporal.run(lane()).orElseThrow().getWorkflowType()).isEqualTo("Deploy");
  }

  @Test
  void an_upgrade_costs_two_status_writes_and_one_event() {
    given_generation_1_is_deployed();
    controller.forgetWrites();

    image("flink:2.2");
    soon().until(() -> isOpen("Upgrade"));
    soon().until(() -> condition("Ready").equals("False/Upgrading/2"));
    workflowSays(OperationType.UPGRADE, OperationState.RUNNING, 2, ReconciliationState.UPGRADING);
    FakeCluster cluster = cluster();
    cluster.kill("jm-1");
    cluster.pod("jm-2");
    workflowSays(OperationType.UPGRADE, OperationState.SUCCEEDED, 2, ReconciliationState.DEPLOYED);
    soon().until(() -> condition("Ready").equals("True/UpToDate/2"));

    assertThat(controller.writes())
        .containsExactlyInAnyOrder(
            "PATCH flinkdeployments/orders/status",
            "PATCH flinkdeployments/orders/status",
            "POST events");
  }

  @Test
  void nothing_is_written_while_nothing_changes_however_often_Flink_is_asked() {
    given_generation_1_is_deployed();
    controller.forgetWrites();
    int asked = flink.jobsAsked();

    soon().until(() -> flink.jobsAsked() > asked + 20);

    assertThat(controller.writes()).isEmpty();
  }

  @Test
  void an_invalid_spec_starts_nothing_and_says_which_field() {
    given_generation_1_is_deployed();

    merge("{\"spec\":{\"flinkConfiguration\":null}}");

    soon().until(() -> condition("Stalled").equals("True/InvalidSpec/2"));
    assertThat(condition("Ready")).isEqualTo("False/InvalidSpec/2");
    assertThat(condition("Running")).isEqualTo("True/Running/2");
    soon()
        .untilAsserted(
            () ->
                assertThat(events("ValidationError"))
                    .singleElement()
                    .satisfies(
                        event ->
                            assertThat(event.getMessage()).contains("spec.flinkConfiguration")));
    assertThat(temporal.run(lane()).orElseThrow().getStatus())
        .isNotEqualTo(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING);
  }

  @Test
  void an_abort_becomes_one_signal_even_across_a_restart_of_the_controller() {
    create(Deployed.spec());
    soon().until(() -> temporal.signals(lane()).equals(List.of("retarget 1")));
    annotate("sluice.dev/abort", "wrong image");
    soon().until(() -> "wrong image".equals(handledAbort()));

    controller.close();
    controller = ControllerUnderTest.start(api, namespace, temporal, flink);
    annotate("sluice.dev/retry", "after the restart");
    soon().until(() -> temporal.signals(lane()).contains("retry"));

    assertThat(temporal.signals(lane())).containsOnlyOnce("abort wrong image", "retry");
  }

  @Test
  void an_abort_with_nothing_to_abort_is_answered_by_an_event() {
    given_generation_1_is_deployed();

    annotate("sluice.dev/abort", "too late");

    soon().until(() -> "too late".equals(handledAbort()));
    soon().until(() -> events("RequestIgnored").size() == 1);
  }

  @Test
  void a_run_that_is_lost_is_started_again() {
    create(Deployed.spec());
    soon().until(() -> isOpen("Deploy"));
    workflowSays(OperationType.DEPLOY, OperationState.RUNNING, 1, ReconciliationState.UPGRADING);
    String lost = temporal.run(lane()).orElseThrow().getExecution().getRunId();

    temporal.end(lane());

    soon().until(() -> isOpen("Deploy"));
    assertThat(temporal.run(lane()).orElseThrow().getExecution().getRunId()).isNotEqualTo(lost);
  }

  @Test
  void a_run_that_is_open_is_looked_after_without_filling_its_history() {
    create(Deployed.spec());
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
  void a_deletion_goes_through_Delete_and_ends_when_the_operation_says_so() {
    given_generation_1_is_deployed();

    api.client().resource(resource()).delete();
    soon().until(() -> isOpen("Delete"));
    assertThat(temporal.signals(lane())).containsExactly("delete");
    assertThat(resource()).isNotNull();
    workflowSays(OperationType.DELETE, OperationState.SUCCEEDED, 1, ReconciliationState.DEPLOYED);

    soon().until(() -> resource() == null);
  }

  @Test
  void a_resource_that_never_was_valid_goes_at_once_even_without_Temporal() {
    create(Deployed.spec().withFlinkConfiguration(null));
    soon().until(() -> condition("Stalled").startsWith("True/InvalidSpec"));
    temporal.away(true);

    api.client().resource(resource()).delete();

    soon().until(() -> resource() == null);
  }

  @Test
  void force_lets_a_resource_go_while_Temporal_is_away() {
    given_generation_1_is_deployed();
    temporal.away(true);
    api.client().resource(resource()).delete();
    soon().until(() -> condition("Progressing").equals("Unknown/TemporalUnavailable/2"));

    annotate("sluice.dev/force-delete", "true");

    soon().until(() -> resource() == null);
    assertThat(events("CleanupFailed")).hasSize(1);
  }

  @Test
  void Temporal_being_away_shows_and_work_goes_on_when_it_is_back() {
    given_generation_1_is_deployed();
    temporal.away(true);

    image("flink:2.2");
    soon().until(() -> condition("Progressing").equals("Unknown/TemporalUnavailable/2"));
    soon().until(() -> condition("Running").equals("True/Running/2"));
    temporal.away(false);

    soon().until(() -> isOpen("Upgrade"));
    soon().until(() -> condition("Progressing").equals("True/Upgrading/2"));
  }

  @Test
  void a_lost_JobManager_shows_at_once_and_again_when_it_is_back() {
    given_generation_1_is_deployed();

    cluster().kill("jm-1");
    soon().until(() -> condition("Ready").equals("False/ClusterNotReady/1"));
    cluster().pod("jm-2");

    soon().until(() -> condition("Ready").equals("True/UpToDate/1"));
  }

  @Test
  void a_resource_of_the_same_name_has_a_lane_of_its_own() {
    create(Deployed.spec());
    soon().until(() -> isOpen("Deploy"));
    String first = lane();
    annotate("sluice.dev/force-delete", "true");
    api.client().resource(resource()).delete();
    soon().until(() -> resource() == null);

    create(Deployed.spec());

    soon().until(() -> isOpen("Deploy"));
    assertThat(lane()).isNotEqualTo(first);
  }

  private void given_generation_1_is_deployed() {
    create(Deployed.spec());
    soon().until(() -> isOpen("Deploy"));
    workflowSays(OperationType.DEPLOY, OperationState.RUNNING, 1, ReconciliationState.UPGRADING);
    cluster().start(JOB_ID);
    workflowSays(OperationType.DEPLOY, OperationState.SUCCEEDED, 1, ReconciliationState.DEPLOYED);
    temporal.end(lane());
    soon().until(() -> condition("Ready").equals("True/UpToDate/1"));
  }

  private static ConditionFactory soon() {
    return await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(50));
  }

  private void create(FlinkDeploymentSpec spec) {
    FlinkDeployment created = new FlinkDeployment();
    created.setMetadata(new ObjectMetaBuilder().withNamespace(namespace).withName(NAME).build());
    created.setSpec(spec);
    api.client().resource(created).create();
  }

  private FlinkDeployment resource() {
    return api.client()
        .resources(FlinkDeployment.class)
        .inNamespace(namespace)
        .withName(NAME)
        .get();
  }

  private GenericKubernetesResource raw() {
    return api.client()
        .genericKubernetesResources(FlinkDeployment.API_VERSION, FlinkDeployment.KIND)
        .inNamespace(namespace)
        .withName(NAME)
        .get();
  }

  private String lane() {
    return new ResourceRef(FlinkDeployment.KIND, namespace, NAME, resource().getMetadata().getUid())
        .laneId();
  }

  private boolean isOpen(String type) {
    return temporal
        .run(lane())
        .filter(run -> run.getStatus() == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING)
        .filter(run -> run.getWorkflowType().equals(type))
        .isPresent();
  }

  private FakeCluster cluster() {
    return new FakeCluster(api.client(), namespace, NAME);
  }

  private void image(String image) {
    merge("{\"spec\":{\"image\":\"" + image + "\"}}");
  }

  private void annotate(String key, String value) {
    merge("{\"metadata\":{\"annotations\":{\"" + key + "\":\"" + value + "\"}}}");
  }

  private void merge(String patch) {
    api.client()
        .resources(FlinkDeployment.class)
        .inNamespace(namespace)
        .withName(NAME)
        .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
  }

  private String condition(String type) {
    return Optional.ofNullable(resource())
        .flatMap(there -> there.getStatus().condition(type))
        .map(c -> c.getStatus() + "/" + c.getReason() + "/" + c.getObservedGeneration())
        .orElse("");
  }

  private String handledAbort() {
    var requests = resource().getStatus().requests();
    return requests == null ? null : requests.abort();
  }

  private List<Event> events(String reason) {
    return api.client().v1().events().inNamespace(namespace).list().getItems().stream()
        .filter(event -> event.getReason().equals(reason))
        .toList();
  }

  private void workflowSays(
      OperationType type, OperationState state, long target, ReconciliationState reconciliation) {
    String runId = temporal.run(lane()).orElseThrow().getExecution().getRunId();
    WorkflowStandIn.says(
        api.client(), resource(), lane(), runId, type, state, target, reconciliation);
  }
}
