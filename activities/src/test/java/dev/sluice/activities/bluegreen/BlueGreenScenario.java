package dev.sluice.activities.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.support.BeforeRequest;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.DrivenWatcher;
import dev.sluice.activities.support.FakeClusters;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.activities.support.WorkerClient;
import dev.sluice.api.Annotations;
import dev.sluice.api.bluegreen.ChildMetadata;
import dev.sluice.api.bluegreen.ChildTemplate;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentSpec;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentStatus;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities.RunRef;
import dev.sluice.workflows.bluegreen.BlueGreenActivities;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.AwaitChildRequest;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.Begin;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.BeginRequest;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.ChildRequest;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.EndRequest;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.SavepointRequest;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.SwitchRequest;
import dev.sluice.workflows.bluegreen.BlueGreenStanding;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Source;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.temporal.failure.ApplicationFailure;
import io.temporal.testing.TestActivityEnvironment;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A FlinkBlueGreenDeployment on a real API server, with the rights of the committed manifest. Its
 * children have no controller: a test says what their status is.
 */
@ExtendWith(ApiServer.Extension.class)
abstract class BlueGreenScenario {

  static final FlinkBlueGreenDeploymentSpec SPEC =
      new FlinkBlueGreenDeploymentSpec(
          Map.of(),
          null,
          new ChildTemplate(new ChildMetadata(Map.of("team", "orders"), Map.of()), Deployed.SPEC));

  final TestClock clock = new TestClock();
  final BeforeRequest before = new BeforeRequest();
  final FakeClusters clusters = FakeClusters.running();
  final FakeFlink flink = new FakeFlink();
  final DrivenWatcher watcher = new DrivenWatcher(clock);
  private final TestActivityEnvironment temporal = TestActivityEnvironment.newInstance();
  KubernetesClient client;
  KubernetesClient worker;
  private KubernetesClient anotherWorker;
  BlueGreenActivities activities;

  /** What another worker does during an effect of this one. */
  BlueGreenActivities byAnotherWorker;

  ResourceRef ref;
  String namespace;

  @BeforeEach
  void create(ApiServer server) throws IOException {
    client = server.client();
    flink.running();
    namespace = server.namespace();
    worker = WorkerClient.of(server, before);
    anotherWorker = WorkerClient.of(server);
    byAnotherWorker = activities(anotherWorker);
    temporal.registerActivitiesImplementations(activities(worker));
    activities = temporal.newActivityStub(BlueGreenActivities.class);
    FlinkBlueGreenDeployment parent = new FlinkBlueGreenDeployment();
    parent.setMetadata(new ObjectMetaBuilder().withNamespace(namespace).withName("orders").build());
    parent.setSpec(SPEC);
    ref = Refs.of(client.resource(parent).create());
  }

  private BlueGreenActivities activities(KubernetesClient of) {
    return new BlueGreenActivitiesImpl(
        of,
        new ResourceStores(List.of(new FlinkDeploymentStore(of))),
        () -> DefaultConfiguration.NONE,
        clusters.access(clock),
        flink,
        watcher);
  }

  @AfterEach
  void close() {
    temporal.close();
    worker.close();
    anotherWorker.close();
  }

  FlinkBlueGreenDeployment parent() {
    return client
        .resources(FlinkBlueGreenDeployment.class)
        .inNamespace(namespace)
        .withName("orders")
        .get();
  }

  FlinkBlueGreenDeploymentStatus status() {
    return parent().getStatus();
  }

  BlueGreenStanding standing() {
    return BlueGreenStatus.standing(status());
  }

  long generation() {
    return parent().getMetadata().getGeneration();
  }

  @Nullable FlinkDeployment child(Color color) {
    return client
        .resources(FlinkDeployment.class)
        .inNamespace(namespace)
        .withName(color.child("orders"))
        .get();
  }

  String uid(Color color) {
    return child(color).getMetadata().getUid();
  }

  /** Somebody applies another spec. */
  void apply(UnaryOperator<FlinkBlueGreenDeploymentSpec> change) {
    client
        .resource(parent())
        .edit(
            it -> {
              it.setSpec(change.apply(it.getSpec()));
              return it;
            });
  }

  static UnaryOperator<FlinkBlueGreenDeploymentSpec> image(String image) {
    return spec ->
        spec.withTemplate(spec.template().withSpec(spec.template().spec().withImage(image)));
  }

  static UnaryOperator<FlinkBlueGreenDeploymentSpec> job(UnaryOperator<JobSpec> change) {
    return spec -> {
      FlinkDeploymentSpec template = spec.template().spec();
      return spec.withTemplate(
          spec.template().withSpec(template.withJob(change.apply(template.job()))));
    };
  }

  static UnaryOperator<FlinkBlueGreenDeploymentSpec> startingFrom(String path) {
    return job(job -> job.withInitialSavepointPath(path));
  }

  /** Somebody says what a transition starts from. */
  void restoreFrom(String what) {
    client
        .resource(parent())
        .edit(
            it -> {
              it.getMetadata().setAnnotations(Map.of(Annotations.RESTORE_FROM, what));
              return it;
            });
  }

  OperationReport report(String step) {
    return report(step, generation());
  }

  OperationReport report(String step, long generation) {
    return new OperationReport(
        ref,
        new RunRef("Transition", ref.laneId(), "run-1"),
        OperationState.RUNNING,
        step,
        generation,
        null,
        step + " of generation " + generation,
        null,
        null,
        null,
        null);
  }

  BeginRequest begin(Color to, Source source, @Nullable String known) {
    return new BeginRequest(
        report("BeginTransition"), standing(), to, source, known, clock.millis());
  }

  Begin begun(Color to, Source source) {
    return activities.begin(begin(to, source, null));
  }

  ChildRequest child(Color color, @Nullable String seen) {
    return new ChildRequest(ref, standing(), generation(), color, seen);
  }

  AwaitChildRequest await(Color color, @Nullable String seen) {
    return new AwaitChildRequest(ref, standing(), generation(), color, seen, inFiveMinutes());
  }

  SavepointRequest savepoint(Color live) {
    return new SavepointRequest(ref, standing(), uid(live), inFiveMinutes());
  }

  /** By Temporal's clock; that of the worker stands where the test has set it. */
  static long inFiveMinutes() {
    return System.currentTimeMillis() + Duration.ofMinutes(5).toMillis();
  }

  void switchTo(Color live) {
    activities.switchLive(
        new SwitchRequest(report("SwitchLive"), standing(), live, clock.millis()));
  }

  void end(boolean reached) {
    activities.end(ends(reached));
  }

  EndRequest ends(boolean reached) {
    return new EndRequest(report("EndTransition"), standing(), reached);
  }

  /** Its controller says that its newest spec is deployed, and its job runs. */
  void ready(Color color) {
    says(color, "True", "UpToDate");
  }

  void says(Color color, String ready, String reason) {
    childStatus(color, runs(child(color).getMetadata().getGeneration(), ready, reason));
  }

  /** The status of a child, or of its FlinkSessionJob, whose job runs. */
  static Map<String, Object> runs(long generation, String ready, String reason) {
    return Map.of(
        "observedGeneration",
        generation,
        "jobStatus",
        Map.of("jobId", FakeFlink.JOB, "state", "RUNNING"),
        "conditions",
        List.of(
            Map.of(
                "type",
                "Ready",
                "status",
                ready,
                "reason",
                reason,
                "message",
                "as the test says",
                "observedGeneration",
                generation,
                "lastTransitionTime",
                "2026-11-21T08:00:00Z")));
  }

  void childStatus(Color color, Object status) {
    client
        .resource(child(color))
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            client.getKubernetesSerialization().asJson(Map.of("status", status)));
  }

  /** Blue is live with the first spec. */
  void blueIsLive() {
    Begin unused = begun(Color.BLUE, Source.SPEC);
    activities.applyChild(child(Color.BLUE, null));
    ready(Color.BLUE);
    switchTo(Color.BLUE);
    end(true);
  }

  /** A second spec comes as green, with what blue leaves to it. */
  void greenComesFrom(String path) {
    apply(image("flink:2.3"));
    Begin unused = activities.begin(begin(Color.GREEN, Source.KNOWN, path));
    activities.applyChild(child(Color.GREEN, null));
  }

  /** Green is live, and blue is still there. */
  void switchedToGreen() {
    blueIsLive();
    greenComesFrom("s3://bucket/known");
    ready(Color.GREEN);
    switchTo(Color.GREEN);
  }

  static void fails(String type, ThrowingCallable call) {
    assertThatThrownBy(call)
        .rootCause()
        .isInstanceOfSatisfying(
            ApplicationFailure.class, failure -> assertThat(failure.getType()).isEqualTo(type));
  }
}
