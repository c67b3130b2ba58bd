package dev.sluice.controller.deployment;

import static org.awaitility.Awaitility.await;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.controller.common.KubernetesCluster;
import dev.sluice.controller.support.ControllerUnderTest;
import dev.sluice.controller.support.FakeCluster;
import dev.sluice.controller.support.FakeFlink;
import dev.sluice.controller.support.TemporalUnderTest;
import dev.sluice.controller.support.WorkflowStandIn;
import dev.sluice.testing.ApiServer;
import io.fabric8.kubernetes.api.model.Condition;
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
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The controller against a real API server and Temporal's test server, and what a test needs. */
@ExtendWith(ApiServer.Extension.class)
@Execution(ExecutionMode.CONCURRENT)
abstract class ReconcilerScenario {

  static final String NAME = "orders";
  static final String JOB_ID = "00000000000000000000000000000001";
  static final String PLAN = "The job runs; it is stopped with a savepoint.";

  final FakeFlink flink = new FakeFlink().job(JOB_ID, FlinkJobState.RUNNING, 3, 3);
  ApiServer api;
  TemporalUnderTest temporal;
  ControllerUnderTest controller;
  String namespace;

  @BeforeEach
  final void startController(ApiServer server) {
    api = chosen(server);
    namespace = api.namespace();
    temporal = new TemporalUnderTest();
    controller = ControllerUnderTest.start(api, namespace, temporal, flink);
  }

  /** The API server of the test. */
  ApiServer chosen(ApiServer usual) {
    return usual;
  }

  @AfterEach
  final void stopController() {
    controller.close();
    temporal.close();
  }

  /** Stops the controller and starts another one, which knows nothing. */
  final void restartController() {
    controller.close();
    controller = ControllerUnderTest.start(api, namespace, temporal, flink);
  }

  final void given_generation_1_is_deployed() {
    given_generation_1_is_deployed(DeployedSpec.valid());
  }

  final void given_generation_1_is_deployed(FlinkDeploymentSpec spec) {
    create(spec);
    soon().until(() -> isOpen("Deploy"));
    workflowSays(OperationType.DEPLOY, OperationState.RUNNING, 1, ReconciliationState.UPGRADING);
    cluster().start(JOB_ID);
    workflowSays(OperationType.DEPLOY, OperationState.SUCCEEDED, 1, ReconciliationState.DEPLOYED);
    soon().until(() -> condition("Ready").equals("True/UpToDate/1"));
    // not before the controller knows: a check that is under way would start another run
    temporal.end(lane());
    soon().until(() -> events("Submit").size() == 1);
  }

  /**
   * Returns when the status has the size of the state, which is the last that Flink is asked for,
   * and after ten polls without a write: later writes are those of the test.
   */
  final void given_the_controller_is_at_rest() {
    soon().until(() -> String.valueOf(resource().getStatus().clusterInfo()).contains("state-size"));
    soon()
        .until(
            () -> {
              controller.forgetWrites();
              int asked = flink.jobsAsked();
              soon().until(() -> flink.jobsAsked() > asked + 10);
              return controller.writes().isEmpty();
            });
  }

  static ConditionFactory soon() {
    // a part of the status is null before it is first written
    return await()
        .ignoreExceptionsInstanceOf(NullPointerException.class)
        .pollInterval(Duration.ofMillis(50));
  }

  final void create(FlinkDeploymentSpec spec) {
    api.client().resource(manifest(spec)).create();
  }

  final FlinkDeployment manifest(FlinkDeploymentSpec spec) {
    FlinkDeployment manifest = new FlinkDeployment();
    manifest.setMetadata(new ObjectMetaBuilder().withNamespace(namespace).withName(NAME).build());
    manifest.setSpec(spec);
    return manifest;
  }

  final FlinkDeployment resource() {
    return api.client()
        .resources(FlinkDeployment.class)
        .inNamespace(namespace)
        .withName(NAME)
        .get();
  }

  final GenericKubernetesResource raw() {
    return api.client()
        .genericKubernetesResources(FlinkDeployment.API_VERSION, FlinkDeployment.KIND)
        .inNamespace(namespace)
        .withName(NAME)
        .get();
  }

  final String lane() {
    return KubernetesCluster.of(api.client()).ref(resource()).laneId();
  }

  final boolean isOpen(String type) {
    return temporal
        .run(lane())
        .filter(run -> run.getStatus() == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING)
        .filter(run -> run.getWorkflowType().equals(type))
        .isPresent();
  }

  final FakeCluster cluster() {
    return new FakeCluster(api.client(), namespace, NAME);
  }

  final void image(String image) {
    merge("{\"spec\":{\"image\":\"" + image + "\"}}");
  }

  final void annotate(String key, String value) {
    merge("{\"metadata\":{\"annotations\":{\"" + key + "\":\"" + value + "\"}}}");
  }

  final void merge(String patch) {
    api.client()
        .resources(FlinkDeployment.class)
        .inNamespace(namespace)
        .withName(NAME)
        .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
  }

  final String condition(String type) {
    return Optional.ofNullable(resource())
        .flatMap(there -> there.getStatus().condition(type))
        .map(c -> c.getStatus() + "/" + c.getReason() + "/" + c.getObservedGeneration())
        .orElse("");
  }

  final String handledAbort() {
    var requests = resource().getStatus().requests();
    return requests == null ? null : requests.abort();
  }

  final List<Event> events(String reason) {
    return api.client().v1().events().inNamespace(namespace).list().getItems().stream()
        .filter(event -> event.getReason().equals(reason))
        .toList();
  }

  final void workflowSays(
      OperationType type, OperationState state, long target, ReconciliationState reconciliation) {
    workflowSays(type, state, target, reconciliation, resource().getSpec());
  }

  final void workflowSays(
      OperationType type,
      OperationState state,
      long target,
      ReconciliationState reconciliation,
      FlinkDeploymentSpec frozen) {
    OperationStatus operation =
        OperationStatus.EMPTY
            .withType(type)
            .withState(state)
            .withWorkflowId(lane())
            .withRunId(runId())
            .withTargetGeneration(target)
            .withPlan(type == OperationType.DEPLOY || type == OperationType.UPGRADE ? PLAN : null);
    WorkflowStandIn.says(api.client(), resource(), operation, reconciliation, frozen);
  }

  final String message(String type) {
    return resource().getStatus().condition(type).map(Condition::getMessage).orElse("");
  }

  final String runId() {
    return temporal.run(lane()).orElseThrow().getExecution().getRunId();
  }
}
