package dev.sluice.activities.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.cluster.ClusterInformers;
import dev.sluice.activities.manifest.application.VersionTarget;
import dev.sluice.activities.support.WorkerClient;
import dev.sluice.testing.ApiServer;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What changes on Kubernetes wakes what waits for the cluster of a version. */
@ExtendWith(ApiServer.Extension.class)
class VersionMembershipIT {

  private final List<String> woken = new CopyOnWriteArrayList<>();
  private KubernetesClient worker;
  private VersionRig rig;
  private ClusterInformers informers;

  @BeforeEach
  void watch(ApiServer server) throws IOException {
    worker = WorkerClient.of(server);
    String namespace = server.namespace();
    rig = new VersionRig(server.client(), worker, namespace);
    informers =
        ClusterInformers.start(worker, Set.of(namespace), woken::add, new VersionMembership());
    Awaitility.await().until(informers::synced);
  }

  @AfterEach
  void stop() {
    informers.close();
    worker.close();
  }

  @Test
  void aVersionIsFoundByItsCluster() {
    VersionTarget other = rig.target(VersionRig.SPEC.withRestartNonce("2"));
    rig.clusters.create(() -> rig.target());
    rig.clusters.create(() -> other);

    Awaitility.await().until(() -> informers.deployments(rig.target().cluster()).size() == 2);

    assertThat(informers.deployments(rig.target().cluster()))
        .extracting(it -> it.getMetadata().getUid())
        .containsExactly(uid(rig.jobManager(rig.target())), uid(rig.taskManagers(rig.target())));
    assertThat(woken).contains(rig.target().cluster().display(), other.cluster().display());
  }

  /** Its Deployments are labelled with a later hash then. */
  @Test
  void aClusterThatWasScaledInPlaceIsFoundByItsName() {
    var larger = VersionRig.SPEC.withParallelism(9);
    rig.clusters.create(() -> rig.target());
    rig.clusters.scale(
        () ->
            rig.target(
                larger, rig.clusters.nameInPlace(rig.ref, larger, 2, rig.target().version())));

    Awaitility.await()
        .untilAsserted(
            () ->
                assertThat(informers.taskManagers(rig.target().cluster()))
                    .hasValueSatisfying(it -> assertThat(it.getSpec().getReplicas()).isEqualTo(5)));
  }

  private static String uid(Deployment deployment) {
    return deployment.getMetadata().getUid();
  }
}
