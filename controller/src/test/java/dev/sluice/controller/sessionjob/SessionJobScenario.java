package dev.sluice.controller.sessionjob;

import static org.awaitility.Awaitility.await;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.FlinkSessionJobSpec;
import dev.sluice.api.sessionjob.Submission;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
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
import io.fabric8.kubernetes.api.model.HasMetadata;
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

/** The controller against a real API server, with a session cluster and jobs on it. */
@ExtendWith(ApiServer.Extension.class)
@Execution(ExecutionMode.CONCURRENT)
abstract class SessionJobScenario {

  static final String CLUSTER = "session";
  static final String CLUSTER_ID = "0000000000000000000000000000000c";
  static final String ORDERS = "orders";
  static final String ORDERS_JOB = "00000000000000000000000000000001";
  static final String PATH = "file:/savepoints/savepoint-1";
  static final String CLICKS = "clicks";
  static final String CLICKS_JOB = "00000000000000000000000000000002";

  final FakeFlink flink =
      new FakeFlink()
          .job(ORDERS_JOB, FlinkJobState.RUNNING, 3, 3)
          .andJob(CLICKS_JOB, FlinkJobState.RUNNING, 3, 3);
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
            () -> String.valueOf(deployment().getStatus().clusterInfo()).contains("flink-version"));
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

  /** A session cluster that runs, and was deployed. */
  final void given_the_session_cluster_runs() {
    given_the_session_cluster_runs(DeployedSpec.valid().configuration());
  }

  /** The same with that configuration. */
  final void given_the_session_cluster_runs(FlinkConfiguration configuration) {
    createCluster(DeployedSpec.valid().withJob(null).withConfiguration(configuration));
    soon().until(() -> isOpen(deployment(), "Deploy"));
    clusterSays(OperationType.DEPLOY, OperationState.RUNNING, ReconciliationState.UPGRADING);
    new FakeCluster(api.client(), namespace, CLUSTER).start(CLUSTER_ID);
    clusterSays(OperationType.DEPLOY, OperationState.SUCCEEDED, ReconciliationState.DEPLOYED);
    soon().until(() -> condition(deployment(), "Ready").equals("True/UpToDate"));
    // not before the controller knows: a check that is under way would start another run
    temporal.end(lane(deployment()));
  }

  final void createCluster(FlinkDeploymentSpec spec) {
    FlinkDeployment manifest = new FlinkDeployment();
    manifest.setMetadata(meta(CLUSTER));
    manifest.setSpec(spec);
    api.client().resource(manifest).create();
  }

  /** Generation 1 of a session job runs on it. */
  final void given_it_runs(String name, String jobId) {
    create(name);
    soon().until(() -> isOpen(job(name), "Deploy"));
    says(name, OperationType.DEPLOY, OperationState.RUNNING, 1, null);
    says(name, OperationType.DEPLOY, OperationState.SUCCEEDED, 1, jobId);
    soon().until(() -> condition(job(name), "Ready").equals("True/UpToDate"));
    // not before the controller knows: a check that is under way would start another run
    temporal.end(lane(job(name)));
  }

  final void given_orders_runs() {
    given_the_session_cluster_runs();
    given_it_runs(ORDERS, ORDERS_JOB);
  }

  final List<FlinkStateSnapshot> snapshots() {
    return api.client()
        .resources(FlinkStateSnapshot.class)
        .inNamespace(namespace)
        .list()
        .getItems();
  }

  final void create(String name) {
    FlinkSessionJob manifest = new FlinkSessionJob();
    manifest.setMetadata(meta(name));
    manifest.setSpec(
        new FlinkSessionJobSpec(
            CLUSTER,
            JobSpec.of("https://repo.example.com/job.jar", 2, UpgradeMode.STATELESS),
            null,
            FlinkConfiguration.empty().toJson()));
    api.client().resource(manifest).create();
  }

  private io.fabric8.kubernetes.api.model.ObjectMeta meta(String name) {
    return new ObjectMetaBuilder().withNamespace(namespace).withName(name).build();
  }

  final FlinkSessionJob job(String name) {
    return api.client()
        .resources(FlinkSessionJob.class)
        .inNamespace(namespace)
        .withName(name)
        .get();
  }

  final FlinkDeployment deployment() {
    return api.client()
        .resources(FlinkDeployment.class)
        .inNamespace(namespace)
        .withName(CLUSTER)
        .get();
  }

  final void merge(String name, String patch) {
    api.client()
        .resources(FlinkSessionJob.class)
        .inNamespace(namespace)
        .withName(name)
        .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
  }

  final String lane(HasMetadata resource) {
    return KubernetesCluster.of(api.client()).ref(resource).laneId();
  }

  final boolean isOpen(HasMetadata resource, String type) {
    return isOpen(lane(resource), type);
  }

  final boolean isOpen(String lane, String type) {
    return temporal
        .run(lane)
        .filter(run -> run.getStatus() == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING)
        .filter(run -> run.getWorkflowType().equals(type))
        .isPresent();
  }

  static String condition(FlinkSessionJob resource, String type) {
    return text(resource.getStatus().condition(type));
  }

  static String condition(FlinkDeployment resource, String type) {
    return text(resource.getStatus().condition(type));
  }

  private static String text(Optional<Condition> condition) {
    return condition.map(it -> it.getStatus() + "/" + it.getReason()).orElse("");
  }

  final String message(String name, String type) {
    return job(name).getStatus().condition(type).map(Condition::getMessage).orElse("");
  }

  final List<Event> events(String name, String reason) {
    return api.client().v1().events().inNamespace(namespace).list().getItems().stream()
        .filter(event -> event.getReason().equals(reason))
        .filter(event -> event.getInvolvedObject().getName().equals(name))
        .toList();
  }

  /** What the run of a session job writes. */
  final void says(
      String name, OperationType type, OperationState state, long target, String jobId) {
    boolean ended = state == OperationState.SUCCEEDED;
    WorkflowStandIn.says(
        api.client(),
        job(name),
        operation(lane(job(name)), type, state, target),
        ended ? ReconciliationState.DEPLOYED : ReconciliationState.UPGRADING,
        job(name).getSpec(),
        jobId == null
            ? null
            : new Submission(jobId, target, CLUSTER_ID, "containerd://jm", null, null));
  }

  /** What the run of the session cluster writes. */
  final void clusterSays(
      OperationType type, OperationState state, ReconciliationState reconciliation) {
    WorkflowStandIn.says(
        api.client(),
        deployment(),
        operation(lane(deployment()), type, state, deployment().getMetadata().getGeneration()),
        reconciliation,
        deployment().getSpec());
  }

  private OperationStatus operation(
      String lane, OperationType type, OperationState state, long target) {
    return OperationStatus.EMPTY
        .withType(type)
        .withState(state)
        .withWorkflowId(lane)
        .withRunId(temporal.run(lane).orElseThrow().getExecution().getRunId())
        .withTargetGeneration(target);
  }
}
