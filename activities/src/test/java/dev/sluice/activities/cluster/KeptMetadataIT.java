package dev.sluice.activities.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.FakeView;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.ClusterActivities.DeleteClusterRequest;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A cluster goes, and its job goes on from the high-availability metadata that it leaves. */
@ExtendWith(ApiServer.Extension.class)
class KeptMetadataIT {

  private static final String JOB = Refs.JOB_ID;
  private static final String CLUSTER_MAP = "orders-cluster-config-map";
  private static final String JOB_MAP = "orders-" + JOB + "-config-map";
  private static final String OTHER_MAP = "orders-" + Refs.OTHER_JOB_ID + "-config-map";

  private static final Map<String, String> LEADERS =
      Map.of("org.apache.flink.k8s.leader.restserver", "a session,http://10.0.0.7:8081");
  private static final Map<String, String> POINTERS =
      Map.of("checkpointID-0000000000000000018", "a handle", "counter", "19");

  private final TestClock clock = new TestClock();
  private KubernetesClient client;
  private String namespace;
  private ResourceRef ref;

  @BeforeEach
  void metadata(ApiServer server) {
    client = server.client();
    namespace = server.namespace();
    ref = Deployed.ref(client.resource(Deployed.orders(namespace)).create());
    configMap(JOB_MAP, POINTERS);
    configMap(OTHER_MAP, POINTERS);
    client
        .resource(
            new ConfigMapBuilder(Clusters.configMap(namespace, CLUSTER_MAP, null))
                .withData(LEADERS)
                .addToData("jobGraph-" + JOB, "a graph of 1.x")
                .addToData("executionPlan-" + JOB, "a plan of 2.x")
                .build())
        .create();
  }

  @Test
  void theJobGraphsGoAndEverythingElseStays() {
    ProbeResult<Void> finished = deletion(JOB).finish();

    assertThat(finished).isEqualTo(ProbeResult.done(null));
    assertThat(data(CLUSTER_MAP)).isEqualTo(LEADERS);
    assertThat(data(JOB_MAP)).isEqualTo(POINTERS);
    assertThat(data(OTHER_MAP)).isEqualTo(POINTERS);
  }

  @Test
  void doingItAgainWritesNothing() {
    deletion(JOB).finish();
    String before = version(CLUSTER_MAP);

    deletion(JOB).finish();

    assertThat(version(CLUSTER_MAP)).isEqualTo(before);
  }

  @Test
  void theJobGraphsStayWhileTheDeploymentIsThere() {
    client.resource(deployment(1)).create();

    assertThat(type(deletion(JOB).finish())).isEqualTo(FailureType.OUTDATED);
    assertThat(data(CLUSTER_MAP)).containsKey("executionPlan-" + JOB);
  }

  /** Its JobManager may come back with all that it knows. */
  @Test
  void aClusterWhoseMetadataVanishedIsLeftAlone() {
    Deployment cluster = client.resource(deployment(1)).create();
    client.configMaps().inNamespace(namespace).withName(JOB_MAP).delete();

    assertThatThrownBy(() -> deletion(JOB).begin()).satisfies(KeptMetadataIT::isOutdated);
    assertThat(client.resource(cluster).get().getMetadata().getDeletionTimestamp()).isNull();
  }

  @Test
  void metadataThatVanishedWithTheClusterIsNotTakenForKept() {
    client.configMaps().inNamespace(namespace).withName(JOB_MAP).delete();

    assertThatThrownBy(() -> deletion(JOB).finish()).satisfies(KeptMetadataIT::isOutdated);
  }

  /** The job of the old cluster and that of the new one have the same id. */
  @Test
  void aClusterOfALaterGenerationOfTheJobIsLeftAlone() {
    Deployment later = client.resource(deployment(2)).create();

    assertThatThrownBy(() -> deletion(JOB).begin()).satisfies(KeptMetadataIT::isOutdated);
    assertThat(client.resource(later).get().getMetadata().getDeletionTimestamp()).isNull();
  }

  @Test
  void theClusterThatWasSeenIsDeleted() {
    Deployment cluster = client.resource(deployment(1)).create();

    deletion(JOB).begin();

    assertThat(client.resource(cluster).get().getMetadata().getDeletionTimestamp()).isNotNull();
  }

  /** FLINK-33011: metadata that a job goes on from is not deleted by accident. */
  @Test
  void aLateDeletionOfEverythingLeavesWhatIsRecorded() {
    recorded(RecordedState.Type.HA_METADATA);

    deletion(null).finish();

    assertThat(data(JOB_MAP)).isEqualTo(POINTERS);
  }

  /** Flink would ignore the path as long as there is metadata. */
  @Test
  void aStartFromAPathLeavesNoOldMetadata() {
    recorded(RecordedState.Type.SAVEPOINT);

    deletion(null).finish();

    assertThat(client.configMaps().inNamespace(namespace).withLabel("app", "orders").list())
        .satisfies(left -> assertThat(left.getItems()).isEmpty());
  }

  private void recorded(RecordedState.Type type) {
    FlinkDeployment resource = client.resource(Deployed.orders(namespace)).get();
    resource.setStatus(
        FlinkDeploymentStatus.EMPTY
            .withReconciliationStatus(
                ReconciliationStatus.EMPTY
                    .withLastReconciledSpec(new FrozenSpec(Deployed.SPEC, 1, true).toJson())
                    .withState(ReconciliationState.UPGRADING))
            .withRecordedState(new RecordedState(type, "file:/s", null, JOB, JOB)));
    client.resource(resource).subresource("status").update();
  }

  private ClusterDeletion deletion(@Nullable String kept) {
    return new ClusterDeletion(
        new DeleteClusterRequest(
            ref,
            Refs.cluster(ref),
            Set.of(JOB),
            1L,
            null,
            kept,
            false,
            null,
            clock.in(Duration.ofMinutes(2))),
        new FlinkDeploymentStore(client),
        client,
        new ClusterAccess(new ClusterReader(client), new FakeView(), clock));
  }

  private Deployment deployment(long generation) {
    return new DeploymentBuilder(Clusters.deployment(namespace, ref.uid()))
        .editMetadata()
        .addToAnnotations(Annotations.JOB_ID, JOB)
        .addToAnnotations(Annotations.GENERATION, Long.toString(generation))
        .endMetadata()
        .build();
  }

  private void configMap(String name, Map<String, String> data) {
    client
        .resource(
            new ConfigMapBuilder(Clusters.configMap(namespace, name, null)).withData(data).build())
        .create();
  }

  private Map<String, String> data(String name) {
    return client.configMaps().inNamespace(namespace).withName(name).get().getData();
  }

  private String version(String name) {
    return client
        .configMaps()
        .inNamespace(namespace)
        .withName(name)
        .get()
        .getMetadata()
        .getResourceVersion();
  }

  private static String type(ProbeResult<Void> result) {
    return ((ProbeResult.Failed<Void>) result).type();
  }

  private static void isOutdated(Throwable thrown) {
    assertThat(thrown)
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> assertThat(failure.getType()).isEqualTo(FailureType.OUTDATED));
  }
}
