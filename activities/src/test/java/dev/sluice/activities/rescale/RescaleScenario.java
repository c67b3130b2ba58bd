package dev.sluice.activities.rescale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.cluster.ClusterActivitiesImpl;
import dev.sluice.activities.cluster.ClusterReader;
import dev.sluice.activities.cluster.SessionJobSource;
import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.Checkpoints.Kind;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.ResourceRequirements.Bounds;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.DrivenWatcher;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.FakeView;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.Stats;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.deployment.InPlaceScaling;
import dev.sluice.api.deployment.KubernetesDeploymentMode;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.ClusterActivities.CreateClusterRequest;
import dev.sluice.workflows.activity.RescaleActivities.RescaleRequest;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import io.temporal.testing.TestActivityEnvironment;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** A standalone cluster of parallelism 2, which is to run with 5. */
@ExtendWith(ApiServer.Extension.class)
abstract class RescaleScenario {

  static final FlinkDeploymentSpec TWO =
      Deployed.SPEC
          .withMode(KubernetesDeploymentMode.STANDALONE)
          .withConfiguration(
              Deployed.SPEC.configuration().with(InPlaceScaling.SCHEDULER, "adaptive"));
  static final FlinkDeploymentSpec FIVE =
      TWO.withJob(JobSpec.of("local:///job.jar", 5, UpgradeMode.SAVEPOINT));

  static final Instant NOW = Instant.parse("2026-11-21T09:00:00Z");

  final FakeFlink flink = new FakeFlink();
  final TestClock clock = new TestClock();
  final DrivenWatcher watcher = new DrivenWatcher(clock);
  final TestActivityEnvironment temporal = TestActivityEnvironment.newInstance();
  KubernetesClient client;
  ResourceRef ref;
  ResourceStores stores;
  ClusterAccess access;
  RescaleActivitiesImpl rescale;

  @BeforeEach
  void deployed(ApiServer server) {
    client = server.client();
    FlinkDeployment orders = Deployed.orders(server.namespace());
    orders.setSpec(TWO);
    ref = Deployed.ref(client.resource(orders).create());
    stores = new ResourceStores(List.of(new FlinkDeploymentStore(client)));
    access = new ClusterAccess(new ClusterReader(client), new FakeView(), clock);
    status(TWO, 1, null, ReconciliationState.UPGRADING);
    new ClusterActivitiesImpl(client, stores, access, flink, watcher, SessionJobSource.NONE)
        .createCluster(
            new CreateClusterRequest(
                ref, Refs.job(ref, Refs.JOB_ID), 1, new StateRef.Empty("the first")));
    FlinkDeployment resource = resource();
    resource.setSpec(FIVE);
    client.resource(resource).update();
    status(FIVE, 2, TWO, ReconciliationState.UPGRADING);
    rescale = rescaling(flink);
    flink.vertex("a", 1, 2, 128);
    flink.vertex("b", 1, 1, 128);
    flink.running().unchangedSince(FakeFlink.BEGUN, NOW);
    flink.checkpointing(Duration.ofMinutes(1), Duration.ofMinutes(10));
    checkpointed(Duration.ofSeconds(30));
  }

  /** It has completed its newest checkpoint that long ago; null: it has completed none. */
  void checkpointed(@Nullable Duration ago) {
    Stats none = Stats.none();
    flink.checkpoints(
        ago == null
            ? none.build()
            : none.newest(
                    new Checkpoints.Completed(
                        7, Kind.CHECKPOINT, Optional.of("s3://c/chk-7"), false, NOW.minus(ago)))
                .build());
  }

  @AfterEach
  void close() {
    temporal.close();
  }

  RescaleActivitiesImpl rescaling(FlinkRest asked) {
    return new RescaleActivitiesImpl(client, stores, access, asked, watcher);
  }

  void status(
      FlinkDeploymentSpec frozen,
      long generation,
      @Nullable FlinkDeploymentSpec stable,
      ReconciliationState state) {
    status(frozen, generation, stable, 1, state);
  }

  void status(
      FlinkDeploymentSpec frozen,
      long generation,
      @Nullable FlinkDeploymentSpec stable,
      long before,
      ReconciliationState state) {
    ReconciliationStatus reconciliation =
        ReconciliationStatus.EMPTY
            .withLastReconciledSpec(new FrozenSpec(frozen, generation, false).toJson())
            .withState(state);
    FlinkDeployment resource = resource();
    resource.setStatus(
        FlinkDeploymentStatus.EMPTY.withReconciliationStatus(
            stable == null
                ? reconciliation
                : reconciliation.withLastStableSpec(
                    new FrozenSpec(stable, before, false).toJson())));
    client.resource(resource).subresource("status").update();
  }

  FlinkDeployment resource() {
    return client
        .resources(FlinkDeployment.class)
        .inNamespace(ref.namespace())
        .withName("orders")
        .get();
  }

  Deployment deployment(String name) {
    return client.apps().deployments().inNamespace(ref.namespace()).withName(name).get();
  }

  static void fails(String type, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ApplicationFailure.class, failure -> assertThat(failure.getType()).isEqualTo(type));
  }

  RescaleRequest request() {
    return new RescaleRequest(ref, Refs.job(ref, Refs.JOB_ID), 2);
  }

  String configuration() {
    return client
        .configMaps()
        .inNamespace(ref.namespace())
        .withName("flink-config-orders")
        .get()
        .getData()
        .get("config.yaml");
  }

  Bounds bounds(String vertex) {
    return flink
        .requirements(new Endpoint(Refs.cluster(ref), 8081), Refs.JOB_ID)
        .vertices()
        .get(vertex);
  }
}
