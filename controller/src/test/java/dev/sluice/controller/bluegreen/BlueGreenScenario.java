package dev.sluice.controller.bluegreen;

import static org.awaitility.Awaitility.await;

import dev.sluice.api.bluegreen.ChildMetadata;
import dev.sluice.api.bluegreen.ChildTemplate;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentSpec;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentStatus;
import dev.sluice.api.bluegreen.FrozenBlueGreen;
import dev.sluice.api.bluegreen.LiveChild;
import dev.sluice.api.bluegreen.TransitionStatus;
import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.IngressSpec;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.FlinkSessionJobSpec;
import dev.sluice.controller.common.KubernetesCluster;
import dev.sluice.controller.deployment.DeployedSpec;
import dev.sluice.controller.support.ControllerUnderTest;
import dev.sluice.controller.support.FakeCluster;
import dev.sluice.controller.support.FakeFlink;
import dev.sluice.controller.support.TemporalUnderTest;
import dev.sluice.controller.support.WorkflowStandIn;
import dev.sluice.testing.ApiServer;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The controller with a real API server and its committed rights. What the worker would do, these
 * tests do: they write its part of the statuses, and make the children.
 */
@ExtendWith(ApiServer.Extension.class)
abstract class BlueGreenScenario {

  static final String NAME = "orders";
  static final String BLUE_JOB = "0".repeat(31) + "b";
  static final String GREEN_JOB = "0".repeat(31) + "9";

  final FakeFlink flink =
      new FakeFlink()
          .job(BLUE_JOB, FlinkJobState.RUNNING, 1, 1)
          .andJob(GREEN_JOB, FlinkJobState.RUNNING, 1, 1);
  ApiServer api;
  TemporalUnderTest temporal;
  ControllerUnderTest controller;
  String namespace;
  private FlinkBlueGreenDeploymentStatus said = FlinkBlueGreenDeploymentStatus.EMPTY;

  @BeforeEach
  final void startController(ApiServer server) {
    api = server;
    namespace = api.namespace();
    temporal = new TemporalUnderTest();
    controller = ControllerUnderTest.start(api, namespace, temporal, flink);
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

  static ConditionFactory soon() {
    // a part of the status is null before it is first written
    return await()
        .ignoreExceptionsInstanceOf(NullPointerException.class)
        .pollInterval(Duration.ofMillis(50));
  }

  final void create() {
    FlinkBlueGreenDeployment manifest = new FlinkBlueGreenDeployment();
    manifest.setMetadata(new ObjectMetaBuilder().withNamespace(namespace).withName(NAME).build());
    manifest.setSpec(
        FlinkBlueGreenDeploymentSpec.EMPTY
            .withTemplate(new ChildTemplate(ChildMetadata.EMPTY, DeployedSpec.valid()))
            .withIngress(
                new IngressSpec("{{name}}.example.com", null, Map.of(), Map.of(), List.of())));
    FlinkBlueGreenDeployment unused = api.client().resource(manifest).create();
  }

  /** Generation 1 is live as blue, and no run is open. */
  final void given_blue_is_live() {
    create();
    soon().until(() -> isOpen("Transition"));
    runs(1, it -> it.withTransition(coming(Color.BLUE, 1)));
    given_a_child_is_ready(Color.BLUE, BLUE_JOB);
    ends(1, Color.BLUE);
    soon().until(() -> condition("Ready").equals("True/UpToDate/1"));
  }

  /** Generation 2 comes as green, whose child exists. */
  final void given_green_comes() {
    given_blue_is_live();
    image("flink:1.20.1");
    soon().until(() -> isOpen("Transition"));
    runs(2, it -> it.withTransition(coming(Color.GREEN, 2)));
  }

  final void given_a_child_is_ready(Color color, String jobId) {
    given_a_child(color);
    childSays(color, OperationState.RUNNING, null);
    new FakeCluster(api.client(), namespace, color.child(NAME)).start(jobId);
    childSays(color, OperationState.SUCCEEDED, null);
    soon()
        .until(
            () ->
                child(color)
                        .getStatus()
                        .condition("Ready")
                        .map(Condition::getStatus)
                        .orElse("")
                        .equals("True")
                    && child(color).getStatus().observedGeneration() == 1);
  }

  final void given_a_child(Color color) {
    given_a_child(color, UnaryOperator.identity());
  }

  private void given_a_child(Color color, UnaryOperator<FlinkDeploymentSpec> change) {
    FlinkDeployment child = new FlinkDeployment();
    child.setMetadata(childMetadata(color));
    child.setSpec(change.apply(resource().getSpec().template().spec()));
    FlinkDeployment unused = api.client().resource(child).create();
  }

  private ObjectMeta childMetadata(Color color) {
    return new ObjectMetaBuilder()
        .withNamespace(namespace)
        .withName(color.child(NAME))
        .withLabels(Map.of(FlinkBlueGreenDeployment.LABEL, NAME, Color.LABEL, color.wire()))
        .withOwnerReferences(
            new OwnerReferenceBuilder()
                .withApiVersion(FlinkBlueGreenDeployment.API_VERSION)
                .withKind(FlinkBlueGreenDeployment.KIND)
                .withName(NAME)
                .withUid(resource().getMetadata().getUid())
                .withController(true)
                .build())
        .build();
  }

  /** The child is a session cluster with that job on it. */
  final void given_a_session_job(Color color, DesiredJobState state) {
    given_a_child(color, it -> it.withJob(null));
    FlinkSessionJob job = new FlinkSessionJob();
    job.setMetadata(childMetadata(color));
    job.setSpec(
        FlinkSessionJobSpec.EMPTY
            .withDeploymentName(color.child(NAME))
            .withJob(resource().getSpec().template().spec().job().withState(state)));
    FlinkSessionJob unused = api.client().resource(job).create();
  }

  final FlinkSessionJob sessionJob(Color color) {
    return api.client()
        .resources(FlinkSessionJob.class)
        .inNamespace(namespace)
        .withName(color.child(NAME))
        .get();
  }

  final void mergeJob(Color color, String patch) {
    FlinkSessionJob unused =
        api.client()
            .resources(FlinkSessionJob.class)
            .inNamespace(namespace)
            .withName(color.child(NAME))
            .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
  }

  /** As the child's own run says it. */
  final void childSays(Color color, OperationState state, String problem) {
    FlinkDeployment child = child(color);
    WorkflowStandIn.says(
        api.client(),
        child,
        OperationStatus.EMPTY
            .withType(OperationType.DEPLOY)
            .withState(state)
            .withWorkflowId(KubernetesCluster.of(api.client()).ref(child).laneId())
            .withRunId("run-of-" + color)
            .withTargetGeneration(1L)
            .withReason(problem)
            .withMessage(problem == null ? null : "It needs help."),
        state == OperationState.SUCCEEDED
            ? ReconciliationState.DEPLOYED
            : ReconciliationState.UPGRADING,
        child.getSpec());
  }

  static TransitionStatus coming(Color color, long generation) {
    return TransitionStatus.EMPTY
        .withTo(color)
        .withGeneration(generation)
        .withSince(Instant.now().toString());
  }

  /** The run of that generation is at work, and says this. */
  final void runs(long generation, UnaryOperator<FlinkBlueGreenDeploymentStatus> change) {
    workflowSays(
        change.apply(
            said.withOperation(
                operation(OperationType.TRANSITION, OperationState.RUNNING, generation))));
  }

  /** That generation is reached, with that child live. */
  final void ends(long generation, Color live) {
    workflowSays(
        said.withTransition(null)
            .withLive(live(live, generation))
            .withLastReconciledSpec(new FrozenBlueGreen(resource().getSpec(), generation).toJson())
            .withOperation(
                operation(OperationType.TRANSITION, OperationState.SUCCEEDED, generation)));
    soon().until(() -> condition("Progressing").startsWith("False/"));
    // not before the controller knows: a check that is under way would start another run
    temporal.end(lane());
  }

  static LiveChild live(Color color, long generation) {
    return new LiveChild(color, generation, Instant.now().toString());
  }

  final OperationStatus operation(OperationType type, OperationState state, long target) {
    return OperationStatus.EMPTY
        .withType(type)
        .withState(state)
        .withWorkflowId(lane())
        .withRunId(runId())
        .withTargetGeneration(target);
  }

  /** As the workflow's activities write it. */
  final void workflowSays(FlinkBlueGreenDeploymentStatus status) {
    said = status;
    GenericKubernetesResource body = new GenericKubernetesResource();
    body.setApiVersion(FlinkBlueGreenDeployment.API_VERSION);
    body.setKind(FlinkBlueGreenDeployment.KIND);
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

  final FlinkBlueGreenDeploymentStatus said() {
    return said;
  }

  final FlinkBlueGreenDeployment resource() {
    return find().orElseThrow();
  }

  final Optional<FlinkBlueGreenDeployment> find() {
    return Optional.ofNullable(
        api.client()
            .resources(FlinkBlueGreenDeployment.class)
            .inNamespace(namespace)
            .withName(NAME)
            .get());
  }

  final FlinkDeployment child(Color color) {
    return api.client()
        .resources(FlinkDeployment.class)
        .inNamespace(namespace)
        .withName(color.child(NAME))
        .get();
  }

  final String lane() {
    return KubernetesCluster.of(api.client()).ref(resource()).laneId();
  }

  final String runId() {
    return temporal.run(lane()).orElseThrow().getExecution().getRunId();
  }

  final boolean isOpen(String type) {
    return isOpen(lane(), type);
  }

  final boolean isOpen(String lane, String type) {
    return temporal
        .run(lane)
        .filter(run -> run.getStatus() == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING)
        .filter(run -> run.getWorkflowType().equals(type))
        .isPresent();
  }

  final void image(String image) {
    merge("{\"spec\":{\"template\":{\"spec\":{\"image\":\"" + image + "\"}}}}");
  }

  final void annotate(String key, String value) {
    merge("{\"metadata\":{\"annotations\":{\"" + key + "\":\"" + value + "\"}}}");
  }

  final void merge(String patch) {
    FlinkBlueGreenDeployment unused =
        api.client()
            .resources(FlinkBlueGreenDeployment.class)
            .inNamespace(namespace)
            .withName(NAME)
            .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
  }

  final void mergeChild(Color color, String patch) {
    FlinkDeployment unused =
        api.client()
            .resources(FlinkDeployment.class)
            .inNamespace(namespace)
            .withName(color.child(NAME))
            .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
  }

  /** {@code True/UpToDate/1}. */
  final String condition(String type) {
    return find()
        .flatMap(it -> it.getStatus().condition(type))
        .map(it -> it.getStatus() + "/" + it.getReason() + "/" + it.getObservedGeneration())
        .orElse("");
  }

  final String message(String type) {
    return resource().getStatus().condition(type).map(Condition::getMessage).orElse("");
  }

  final List<Event> events(String reason) {
    return api.client().v1().events().inNamespace(namespace).list().getItems().stream()
        .filter(event -> event.getReason().equals(reason))
        .filter(event -> event.getInvolvedObject().getKind().equals(FlinkBlueGreenDeployment.KIND))
        .toList();
  }

  /** The Service that the Ingress leads to; empty when there is none. */
  final String backend() {
    Ingress there =
        api.client().network().v1().ingresses().inNamespace(namespace).withName(NAME).get();
    return there == null
        ? ""
        : there
            .getSpec()
            .getRules()
            .get(0)
            .getHttp()
            .getPaths()
            .get(0)
            .getBackend()
            .getService()
            .getName();
  }
}
