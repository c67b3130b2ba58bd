package dev.sluice.controller.application;

import static org.awaitility.Awaitility.await;

import dev.sluice.api.Labels;
import dev.sluice.api.application.ApplicationDeployment;
import dev.sluice.api.application.ApplicationHash;
import dev.sluice.api.application.ApplicationLabels;
import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.application.DeployedVersion;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.application.FlinkApplicationSpec;
import dev.sluice.api.application.FlinkApplicationStatus;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.FrozenDocument;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.controller.common.KubernetesCluster;
import dev.sluice.controller.support.ControllerUnderTest;
import dev.sluice.controller.support.FakeFlink;
import dev.sluice.controller.support.TemporalUnderTest;
import dev.sluice.testing.ApiServer;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The controller against a real API server, with an application and its clusters. */
@ExtendWith(ApiServer.Extension.class)
@Execution(ExecutionMode.CONCURRENT)
abstract class ApplicationScenario {

  static final String NAME = "words";
  static final String HASH = "aaaaaaaaaa";
  static final String JOB = "00000000000000000000000000000001";

  final FakeFlink flink = new FakeFlink().job(JOB, FlinkJobState.RUNNING, 3, 3);
  ApiServer api;
  TemporalUnderTest temporal;
  ControllerUnderTest controller;
  String namespace;

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

  /** Returns after ten polls without a write: later writes are those of the test. */
  final void given_the_controller_is_at_rest() {
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

  static FlinkApplicationSpec spec() {
    return FlinkApplicationSpec.EMPTY
        .withImage("flink:1.20")
        .withFlinkVersion("1.20")
        .withJarName("words.jar")
        .withParallelism(3)
        .withEntryClass("org.example.Words");
  }

  final void create() {
    api.client().resource(manifest()).create();
  }

  final FlinkApplication manifest() {
    FlinkApplication manifest = new FlinkApplication();
    manifest.setMetadata(new ObjectMetaBuilder().withNamespace(namespace).withName(NAME).build());
    manifest.setSpec(spec());
    return manifest;
  }

  final FlinkApplication read() {
    return api.client()
        .resources(FlinkApplication.class)
        .inNamespace(namespace)
        .withName(NAME)
        .get();
  }

  final void merge(String patch) {
    api.client()
        .resources(FlinkApplication.class)
        .inNamespace(namespace)
        .withName(NAME)
        .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
  }

  final String lane() {
    return KubernetesCluster.of(api.client()).ref(read()).laneId();
  }

  final boolean isOpen(String type) {
    return temporal
        .run(lane())
        .filter(run -> run.getStatus() == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING)
        .filter(run -> run.getWorkflowType().equals(type))
        .isPresent();
  }

  final String condition(String type) {
    return new ApplicationStatusView(read().getStatus())
        .condition(type)
        .map(it -> it.getStatus() + "/" + it.getReason())
        .orElse("");
  }

  final List<Event> events(String reason) {
    return api.client().v1().events().inNamespace(namespace).list().getItems().stream()
        .filter(event -> event.getReason().equals(reason))
        .filter(event -> event.getInvolvedObject().getName().equals(NAME))
        .toList();
  }

  /** Generation 1 runs on its cluster. */
  final void given_it_runs() {
    create();
    soon().until(() -> isOpen("DeployApplication"));
    deployment("jm", 1);
    deployment("tm", 1);
    says(ApplicationPhase.RUNNING, OperationType.DEPLOY, OperationState.SUCCEEDED);
    soon().until(() -> condition("Ready").equals("True/UpToDate"));
    // not before the controller knows: a check that is under way would start another run
    temporal.end(lane());
  }

  /** A Deployment of its cluster, with that many pods available. */
  final void deployment(String process, int available) {
    String type = process.equals("jm") ? "jobmanager" : "taskmanager";
    String name = NAME + "-" + HASH + "-" + process;
    Map<String, String> labels =
        Map.of(ApplicationLabels.FLINK_APP, NAME, Labels.FLINK_DEPLOYMENT_TYPE, type);
    Deployment deployment =
        new DeploymentBuilder()
            .withNewMetadata()
            .withNamespace(namespace)
            .withName(name)
            .withLabels(labels)
            .addNewOwnerReference()
            .withApiVersion(FlinkApplication.API_VERSION)
            .withKind(FlinkApplication.KIND)
            .withName(NAME)
            .withUid(read().getMetadata().getUid())
            .endOwnerReference()
            .endMetadata()
            .withNewSpec()
            .withReplicas(1)
            .withNewSelector()
            .withMatchLabels(labels)
            .endSelector()
            .withNewTemplate()
            .withNewMetadata()
            .withLabels(labels)
            .endMetadata()
            .withNewSpec()
            .addNewContainer()
            .withName(type)
            .withImage("flink:1.20")
            .endContainer()
            .endSpec()
            .endTemplate()
            .endSpec()
            .build();
    api.client().resource(deployment).create();
    available(process, available);
  }

  final void available(String process, int number) {
    api.client()
        .apps()
        .deployments()
        .inNamespace(namespace)
        .withName(NAME + "-" + HASH + "-" + process)
        .editStatus(
            it ->
                new DeploymentBuilder(it)
                    .editOrNewStatus()
                    .withReplicas(1)
                    .withReadyReplicas(number)
                    .withAvailableReplicas(number)
                    .endStatus()
                    .build());
  }

  /** What the run writes: the newest spec is that of the deployed version. */
  final void says(ApplicationPhase phase, OperationType type, OperationState state) {
    FlinkApplication now = read();
    long generation = now.getMetadata().getGeneration();
    FlinkApplicationStatus status =
        FlinkApplicationStatus.EMPTY
            .withPhase(phase)
            .withDeployHash(HASH)
            .withOperation(
                OperationStatus.EMPTY
                    .withType(type)
                    .withState(state)
                    .withWorkflowId(lane())
                    .withRunId(temporal.run(lane()).orElseThrow().getExecution().getRunId())
                    .withTargetGeneration(generation))
            .withDeployment(
                ApplicationDeployment.EMPTY
                    .withSettledGeneration(generation)
                    .withDeployed(
                        new DeployedVersion(
                            HASH,
                            ApplicationHash.of(now.getSpec()).full(),
                            NAME + "-" + HASH,
                            null,
                            generation,
                            JOB,
                            new FrozenDocument(
                                    FrozenDocument.tree(now.getSpec()), generation, true, null)
                                .toJson(FlinkApplication.API_VERSION),
                            null)));
    GenericKubernetesResource body = new GenericKubernetesResource();
    body.setApiVersion(now.getApiVersion());
    body.setKind(now.getKind());
    body.setMetadata(new ObjectMetaBuilder().withNamespace(namespace).withName(NAME).build());
    body.setAdditionalProperties(Map.of("status", status));
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
}
