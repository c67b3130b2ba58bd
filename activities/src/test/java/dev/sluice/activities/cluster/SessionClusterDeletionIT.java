package dev.sluice.activities.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.FakeView;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.SessionDeletion;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.ClusterActivities.DeleteClusterRequest;
import dev.sluice.workflows.activity.ClusterActivities.HeldDeletion;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.JobsOnCluster;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A session cluster goes, and no job on it is lost that nobody gave up. */
@ExtendWith(ApiServer.Extension.class)
class SessionClusterDeletionIT {

  private static final String CLUSTER_MAP = "orders-cluster-config-map";
  private static final Map<String, String> GRAPHS =
      Map.of("executionPlan-" + FakeFlink.JOB, "a plan of 2.x");
  private static final Map<String, String> AVAILABLE =
      Map.of("high-availability.type", "kubernetes", "high-availability.storageDir", "s3://ha");

  private final TestClock clock = new TestClock();
  private final FakeFlink flink = new FakeFlink();
  private KubernetesClient client;
  private String namespace;
  private ResourceRef ref;

  @BeforeEach
  void connect(ApiServer server) {
    client = server.client();
    namespace = server.namespace();
  }

  @Test
  void aClusterThatRunsJobsIsLeftAlone() {
    session(Map.of());
    Deployment cluster = runningCluster();
    flink.job(FlinkJobState.RUNNING, 8);

    assertThat(type(deletion(JobsOnCluster.NONE, false).look().join()))
        .isEqualTo(FailureType.OUTDATED);
    assertThat(client.resource(cluster).get().getMetadata().getDeletionTimestamp()).isNull();
  }

  @Test
  void aClusterWhoseJobsHaveEndedGoes() {
    session(Map.of());
    Deployment cluster = runningCluster();
    flink.job(FlinkJobState.CANCELED, 0);

    ProbeResult<Void> begun = deletion(JobsOnCluster.NONE, false).look().join();

    assertThat(begun).isInstanceOf(ProbeResult.NotYet.class);
    assertThat(client.resource(cluster).get().getMetadata().getDeletionTimestamp()).isNotNull();
  }

  /** FLINK-40542: what cannot be read is not an empty list. */
  @Test
  void aClusterThatDoesNotTellItsJobsIsLeftAlone() {
    session(Map.of());
    Deployment cluster = runningCluster();
    flink.up(false);

    assertThat(type(deletion(JobsOnCluster.NONE, true).look().join()))
        .isEqualTo(FailureType.OUTDATED);
    assertThat(client.resource(cluster).get().getMetadata().getDeletionTimestamp()).isNull();
    assertThat(held().reason()).isEqualTo(Reasons.CLUSTER_NOT_READY);
  }

  @Test
  void whatHoldsTheDeletionNamesTheJobsAndTheKey() {
    session(Map.of());
    runningCluster();
    flink.job(FlinkJobState.RUNNING, 8);

    HeldDeletion held = held();

    assertThat(held.reason()).isEqualTo(Reasons.OTHER_JOBS);
    assertThat(held.message())
        .contains(FakeFlink.JOB)
        .contains(SessionDeletion.BLOCK_ON_UNMANAGED_JOBS);
  }

  @Test
  void theNewestSpecSaysWhetherJobsHoldTheDeletion() {
    session(Map.of(SessionDeletion.BLOCK_ON_UNMANAGED_JOBS, "false"));
    Deployment cluster = runningCluster();
    flink.job(FlinkJobState.RUNNING, 8);

    assertThat(held()).isEqualTo(HeldDeletion.NOTHING);
    deletion(JobsOnCluster.NONE, true).look().join();
    assertThat(client.resource(cluster).get().getMetadata().getDeletionTimestamp()).isNotNull();
  }

  @Test
  void sessionJobsHoldTheDeletionAndTheirJobsAreNotUnmanaged() {
    session(Map.of(SessionDeletion.BLOCK_ON_SESSION_JOBS, "false"));
    runningCluster();
    flink.job(FlinkJobState.RUNNING, 8);
    SessionJobSource one =
        cluster -> List.of(new SessionJobSource.SessionJob("totals", FakeFlink.JOB));

    assertThat(check(one).held(flink.jobsOverview(check(one).endpoint()).join()))
        .isEqualTo(HeldDeletion.NOTHING);
    session(Map.of());
    assertThat(check(one).held(flink.jobsOverview(check(one).endpoint()).join()).message())
        .contains("totals")
        .contains(SessionDeletion.BLOCK_ON_SESSION_JOBS);
  }

  @Test
  void jobsInTheMetadataHoldTheDeletionOfAClusterWhoseDeploymentIsMissing() {
    session(AVAILABLE);
    metadata();
    flink.up(false);

    assertThat(held().message()).contains(FakeFlink.JOB).contains("metadata");
  }

  @Test
  void nothingHoldsTheDeletionOfAClusterThatCannotRunAnything() {
    session(Map.of());
    flink.up(false);

    assertThat(held()).isEqualTo(HeldDeletion.NOTHING);
  }

  @Test
  void theMetadataStaysWholeWhereTheJobsComeBack() {
    session(AVAILABLE);
    metadata();

    assertThat(deletion(JobsOnCluster.COME_BACK, false).finish()).isEqualTo(ProbeResult.done(null));
    assertThat(configMap().getData()).isEqualTo(GRAPHS);
  }

  @Test
  void theMetadataGoesWhereTheJobsEnd() {
    session(AVAILABLE);
    metadata();

    assertThat(deletion(JobsOnCluster.END, false).finish()).isEqualTo(ProbeResult.done(null));
    assertThat(configMap()).isNull();
  }

  private void session(Map<String, String> options) {
    FlinkDeployment resource = Deployed.orders(namespace);
    resource.setSpec(Deployed.SPEC.withJob(null).withConfiguration(FlinkConfiguration.of(options)));
    FlinkDeployment there = client.resource(resource).createOr(it -> it.update());
    String json = new FrozenSpec(resource.getSpec(), 1, false).toJson();
    there.setStatus(
        FlinkDeploymentStatus.EMPTY.withReconciliationStatus(
            ReconciliationStatus.EMPTY.withLastReconciledSpec(json).withLastStableSpec(json)));
    ref = Deployed.ref(client.resource(there).updateStatus());
  }

  /** It was available: its JobManager may have run. */
  private Deployment runningCluster() {
    Deployment created =
        client
            .resource(
                new DeploymentBuilder(Clusters.deployment(namespace, ref.uid()))
                    .editMetadata()
                    .addToAnnotations(Annotations.JOB_ID, Refs.JOB_ID)
                    .addToAnnotations(Annotations.GENERATION, "1")
                    .endMetadata()
                    .build())
            .create();
    return client
        .resource(
            new DeploymentBuilder(created)
                .withNewStatus()
                .addNewCondition()
                .withType("Available")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build())
        .updateStatus();
  }

  private void metadata() {
    client
        .resource(
            new ConfigMapBuilder(Clusters.configMap(namespace, CLUSTER_MAP, null))
                .withData(GRAPHS)
                .build())
        .create();
  }

  private ConfigMap configMap() {
    return client.configMaps().inNamespace(namespace).withName(CLUSTER_MAP).get();
  }

  private HeldDeletion held() {
    SessionJobsCheck check = check(SessionJobSource.NONE);
    return check.held(check.ask(check.endpoint()).join());
  }

  private SessionJobsCheck check(SessionJobSource sessionJobs) {
    return new SessionJobsCheck(
        ref, new FlinkDeploymentStore(client), new ClusterReader(client), flink, sessionJobs);
  }

  private ClusterDeletion deletion(JobsOnCluster jobs, boolean everything) {
    ClusterReader reader = new ClusterReader(client);
    boolean asks = jobs == JobsOnCluster.NONE;
    ClusterDeletion deletion =
        new ClusterDeletion(
            new DeleteClusterRequest(
                ref,
                Refs.cluster(ref),
                Set.of(Refs.JOB_ID),
                null,
                null,
                null,
                everything,
                null,
                jobs,
                clock.in(Duration.ofMinutes(2))),
            new FlinkDeploymentStore(client),
            client,
            new ClusterAccess(reader, new FakeView(), Runnable::run, clock),
            asks ? check(SessionJobSource.NONE) : null);
    deletion.begin();
    return deletion;
  }

  private static String type(ProbeResult<Void> result) {
    return result instanceof ProbeResult.Failed<Void> failed ? failed.type() : result.toString();
  }
}
