package dev.sluice.activities.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.ClusterActivities.DeleteClusterRequest;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A native cluster, and a Deployment {@code <name>-taskmanager} that is none of it. */
@ExtendWith(ApiServer.Extension.class)
class ForeignTaskManagersIT {

  private static final String NAME = "orders-taskmanager";

  private final TestClock clock = new TestClock();
  private KubernetesClient client;
  private String namespace;
  private ResourceRef ref;
  private ClusterInformers informers;

  @BeforeEach
  void watch(ApiServer server) {
    client = server.client();
    namespace = server.namespace();
    ref = Deployed.ref(client.resource(Deployed.orders(namespace)).create());
    informers = ClusterInformers.start(client, Set.of(namespace), woken -> {});
    Awaitility.await().until(() -> informers.problem().isEmpty());
  }

  @AfterEach
  void stop() {
    informers.close();
  }

  enum Theirs {
    WITHOUT_LABELS(Map.of("who", "somebody"), List.of()),
    WITH_OUR_LABELS_AND_NO_OWNER(
        Map.of("app", "orders", "type", "flink-standalone-kubernetes"), List.of()),
    OF_ANOTHER_CLUSTER(
        Map.of("app", "bills", "type", "flink-standalone-kubernetes"),
        List.of(
            new OwnerReference(
                "flink.apache.org/v1beta1", true, true, "FlinkDeployment", "bills", "uid-2"))),
    OF_A_NATIVE_CLUSTER(
        Map.of("app", "orders", "type", "flink-native-kubernetes"),
        List.of(new OwnerReference("apps/v1", true, true, "ReplicaSet", "x", "uid-2")));

    private final Map<String, String> labels;
    private final List<OwnerReference> owners;

    Theirs(Map<String, String> labels, List<OwnerReference> owners) {
      this.labels = labels;
      this.owners = owners;
    }
  }

  @ParameterizedTest
  @EnumSource
  void anUpgradeNeitherWaitsForItNorTouchesIt(Theirs theirs) {
    isNeitherWaitedForNorTouched(theirs, false);
  }

  @ParameterizedTest
  @EnumSource
  void aDeletionNeitherWaitsForItNorTouchesIt(Theirs theirs) {
    isNeitherWaitedForNorTouched(theirs, true);
  }

  private void isNeitherWaitedForNorTouched(Theirs theirs, boolean everything) {
    Deployment cluster = client.resource(Clusters.deployment(namespace, ref.uid())).create();
    String before =
        client.resource(named(NAME, theirs)).create().getMetadata().getResourceVersion();
    Awaitility.await().until(() -> informers.deployment(Refs.cluster(ref)).isPresent());

    ClusterDeletion deletion = begun(everything);
    Clusters.collect(client, cluster);

    Awaitility.await()
        .untilAsserted(() -> assertThat(deletion.look()).isEqualTo(ProbeResult.done(null)));
    assertThat(
            client
                .apps()
                .deployments()
                .inNamespace(namespace)
                .withName(NAME)
                .get()
                .getMetadata()
                .getResourceVersion())
        .isEqualTo(before);
  }

  private Deployment named(String name, Theirs theirs) {
    Deployment like = Clusters.deployment(namespace, null);
    return new DeploymentBuilder(like)
        .editMetadata()
        .withName(name)
        .withLabels(theirs.labels)
        .withOwnerReferences(theirs.owners)
        .endMetadata()
        .build();
  }

  private ClusterDeletion begun(boolean everything) {
    ClusterDeletion deletion =
        new ClusterDeletion(
            new DeleteClusterRequest(
                ref,
                Refs.cluster(ref),
                Set.of(),
                null,
                everything,
                clock.in(Duration.ofMinutes(2))),
            new FlinkDeploymentStore(client),
            client,
            new ClusterAccess(new ClusterReader(client), informers, clock));
    deletion.begin();
    return deletion;
  }
}
