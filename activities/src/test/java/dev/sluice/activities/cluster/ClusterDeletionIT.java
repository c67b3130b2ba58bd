package dev.sluice.activities.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.Looks;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.ClusterActivities.DeleteClusterRequest;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ClusterObservation;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.ClusterObservation.JobManager;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ApiServer.Extension.class)
class ClusterDeletionIT {

  private final TestClock clock = new TestClock();
  private final Set<String> woken = ConcurrentHashMap.newKeySet();
  private KubernetesClient client;
  private String namespace;
  private ResourceRef ref;
  private ClusterInformers informers;

  @BeforeEach
  void watch(ApiServer server) {
    client = server.client();
    namespace = server.namespace();
    ref = Deployed.ref(client.resource(Deployed.orders(namespace)).create());
    informers = ClusterInformers.start(client, Set.of(namespace), woken::add);
    Awaitility.await().until(() -> informers.problem().isEmpty());
  }

  @AfterEach
  void stop() {
    informers.close();
  }

  @Test
  void nothingThereIsDoneAtOnce() {
    assertThat(begun(false).look()).isEqualTo(ProbeResult.done(null));
  }

  @Test
  void thePodsAreWaitedFor() {
    Deployment deployment = client.resource(Clusters.deployment(namespace, ref.uid())).create();
    Pod pod =
        client
            .resource(Clusters.taskManager(namespace, deployment.getMetadata().getUid()))
            .create();
    awaitPods(1);

    ClusterDeletion deletion = begun(false);
    Clusters.collect(client, deployment);

    assertThat(deletion.look())
        .isEqualTo(ProbeResult.notYet("1 pods left: orders-taskmanager-1-1"));
    client.resource(pod).withGracePeriod(0).delete();
    awaitPods(0);
    Awaitility.await()
        .untilAsserted(() -> assertThat(deletion.look()).isEqualTo(ProbeResult.done(null)));
    assertThat(woken).contains(ref.display());
  }

  /** While the Deployment is there its ReplicaSet may be, which could replace a pod that ended. */
  @Test
  void theDeploymentStaysUntilAllThatItOwnsIsGone() {
    Deployment deployment = client.resource(Clusters.deployment(namespace, ref.uid())).create();
    Awaitility.await().until(() -> informers.deployment(Refs.cluster(ref)).isPresent());

    ClusterDeletion deletion = begun(false);

    assertThat(client.resource(deployment).get().getFinalizers())
        .containsExactly("foregroundDeletion");
    assertThat(deletion.look())
        .isEqualTo(
            ProbeResult.notYet(
                "Deployment orders belongs to FlinkDeployment orders and is not gone yet"));
    Clusters.collect(client, deployment);
    Awaitility.await()
        .untilAsserted(() -> assertThat(deletion.look()).isEqualTo(ProbeResult.done(null)));
  }

  @Test
  void highAvailabilityMetadataGoesOnceNoPodIsLeft() {
    client.resource(Clusters.configMap(namespace, "orders-cluster-config-map", null)).create();
    client.resource(Clusters.configMap(namespace, "orders-0a1b-config-map", null)).create();
    client.resource(Clusters.configMap(namespace, "flink-config-orders", ref.uid())).create();

    begun(false).look();

    assertThat(configMaps()).containsExactly("flink-config-orders");
  }

  @Test
  void highAvailabilityMetadataOfTheNextClusterStays() {
    ClusterDeletion late = begun(false);
    client.resource(madeFor(Refs.OTHER_JOB_ID)).create();
    client.resource(Clusters.configMap(namespace, "orders-cluster-config-map", null)).create();

    ProbeResult<Void> finished = late.finish();

    assertThat(finished)
        .isInstanceOfSatisfying(
            ProbeResult.Failed.class,
            failed -> assertThat(failed.type()).isEqualTo(FailureType.OUTDATED));
    assertThat(configMaps()).containsExactly("orders-cluster-config-map");
  }

  @Test
  void highAvailabilityMetadataStaysWhileAPodIsLeft() {
    client.resource(Clusters.configMap(namespace, "orders-cluster-config-map", null)).create();
    client.resource(Clusters.taskManager(namespace, "gone")).create();
    awaitPods(1);

    begun(true).look();

    assertThat(configMaps()).containsExactly("orders-cluster-config-map");
  }

  @Test
  void everythingIsAlsoWhatAnUpgradeKeepsButNothingOfOthers() {
    client.resource(Clusters.configMap(namespace, "flink-config-orders", ref.uid())).create();
    client.resource(Clusters.configMap(namespace, "somebody-elses", "other-uid")).create();

    begun(true).look();

    assertThat(configMaps()).containsExactly("somebody-elses");
  }

  @Test
  void aDeploymentOfSomebodyElseIsLeftAlone() {
    Deployment foreign = client.resource(Clusters.deployment(namespace, null)).create();

    assertThatThrownBy(() -> begun(false))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> assertThat(failure.getType()).isEqualTo(FailureType.NAME_TAKEN));
    assertThat(client.resource(foreign).get()).isNotNull();
  }

  @Test
  void aDeploymentOfAnotherJobIsLeftAlone() {
    Deployment other = client.resource(madeFor(Refs.OTHER_JOB_ID)).create();

    assertThatThrownBy(() -> begun(false))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> {
              assertThat(failure.getType()).isEqualTo(FailureType.OUTDATED);
              assertThat(failure.isNonRetryable()).isTrue();
            });
    assertThat(client.resource(other).get().getMetadata().getDeletionTimestamp()).isNull();
  }

  @Test
  void aClusterIsLeftAloneWhoseJobManagerHasRunSinceItWasDecided() {
    Deployment cluster = client.resource(madeFor(Refs.JOB_ID)).create();
    var neverReady = new ClusterObservation.Evidence(JobManager.NEVER_READY, HighAvailability.OFF);
    var mayHaveRun = new ClusterObservation.Evidence(JobManager.MAY_HAVE_RUN, HighAvailability.OFF);

    assertThatThrownBy(() -> begun(Set.of(Refs.JOB_ID), mayHaveRun, false))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> assertThat(failure.getType()).isEqualTo(FailureType.OUTDATED));
    assertThat(client.resource(cluster).get().getMetadata().getDeletionTimestamp()).isNull();
    begun(Set.of(Refs.JOB_ID), neverReady, false);
    assertThat(client.resource(cluster).get())
        .matches(it -> it == null || it.getMetadata().getDeletionTimestamp() != null);
  }

  @Test
  void aDeploymentOfAnotherJobThatIsBeingDeletedIsWaitedFor() {
    Deployment other =
        client
            .resource(
                new DeploymentBuilder(madeFor(Refs.OTHER_JOB_ID))
                    .editMetadata()
                    .addToFinalizers("example.com/slow")
                    .endMetadata()
                    .build())
            .create();
    client.resource(other).delete();

    assertThat(begun(false).look()).isInstanceOf(ProbeResult.NotYet.class);
    Clusters.collect(client, other);
  }

  @Test
  void aDeploymentOfOneOfTheJobsIsDeleted() {
    Deployment ours = client.resource(madeFor(Refs.OTHER_JOB_ID)).create();

    begun(Set.of(Refs.JOB_ID, Refs.OTHER_JOB_ID), false);

    assertThat(client.resource(ours).get().getMetadata().getDeletionTimestamp()).isNotNull();
  }

  @Test
  void theDeletionOfTheResourceTakesADeploymentOfWhateverJob() {
    Deployment ours = client.resource(madeFor(Refs.OTHER_JOB_ID)).create();

    begun(Set.of(), true);

    assertThat(client.resource(ours).get().getMetadata().getDeletionTimestamp()).isNotNull();
  }

  @Test
  void nothingIsDeletedForAResourceThatIsGone() {
    Deployment left = client.resource(madeFor(Refs.JOB_ID)).create();
    client.resource(Clusters.configMap(namespace, "orders-cluster-config-map", null)).create();
    client.resource(Deployed.orders(namespace)).delete();

    assertThatThrownBy(() -> begun(true)).satisfies(ClusterDeletionIT::isGone);
    assertThat(client.resource(left).get().getMetadata().getDeletionTimestamp()).isNull();
    assertThat(configMaps()).containsExactly("orders-cluster-config-map");
  }

  /** Its cluster is another one, even if it has the same name. */
  @Test
  void nothingIsDeletedForAnotherInstanceOfTheName() {
    client.resource(Deployed.orders(namespace)).delete();
    client.resource(Deployed.orders(namespace)).create();
    client.resource(Clusters.configMap(namespace, "orders-cluster-config-map", null)).create();

    assertThatThrownBy(() -> begun(true)).satisfies(ClusterDeletionIT::isGone);
    assertThat(configMaps()).containsExactly("orders-cluster-config-map");
  }

  @Test
  void theMetadataOfAResourceThatGoesMeanwhileStays() {
    client.resource(Clusters.configMap(namespace, "orders-cluster-config-map", null)).create();
    ClusterDeletion deletion = begun(false);
    client.resource(Deployed.orders(namespace)).delete();

    assertThat(Looks.at(deletion::look))
        .isInstanceOfSatisfying(
            ProbeResult.Failed.class,
            failed -> assertThat(failed.type()).isEqualTo(FailureType.RESOURCE_GONE));
    assertThat(configMaps()).containsExactly("orders-cluster-config-map");
  }

  @Test
  void aStatusThatCannotBeReadDoesNotBlockADeletion() {
    FlinkDeployment resource = client.resource(Deployed.orders(namespace)).get();
    resource.setStatus(
        FlinkDeploymentStatus.EMPTY.withReconciliationStatus(
            ReconciliationStatus.EMPTY.withLastReconciledSpec("{").withLastStableSpec("[]")));
    client.resource(resource).subresource("status").update();

    assertThat(begun(Set.of(), true).look()).isEqualTo(ProbeResult.done(null));
  }

  private static void isGone(Throwable thrown) {
    assertThat(thrown)
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> assertThat(failure.getType()).isEqualTo(FailureType.RESOURCE_GONE));
  }

  private Deployment madeFor(String jobId) {
    return new DeploymentBuilder(Clusters.deployment(namespace, ref.uid()))
        .editMetadata()
        .addToAnnotations(Annotations.JOB_ID, jobId)
        .endMetadata()
        .build();
  }

  @Test
  void theDeploymentOfAnEarlierInstanceIsWaitedFor() {
    Deployment earlier = client.resource(Clusters.deployment(namespace, "earlier")).create();
    Awaitility.await().until(() -> informers.deployment(Refs.cluster(ref)).isPresent());

    ClusterDeletion deletion = begun(false);

    assertThat(deletion.look())
        .isEqualTo(
            ProbeResult.notYet(
                "Deployment orders belongs to FlinkDeployment orders and is not gone yet"));
    assertThat(client.resource(earlier).get()).isNotNull();
  }

  @Test
  void itEndsAtTheDeadlineWithWhatIsLeft() {
    client.resource(Clusters.taskManager(namespace, "gone")).create();
    awaitPods(1);
    ClusterDeletion deletion = begun(false);
    clock.advance(Duration.ofMinutes(3));

    assertThat(deletion.look())
        .isEqualTo(
            ProbeResult.failed(
                FailureType.CLUSTER_NOT_GONE,
                "cluster "
                    + ref.display()
                    + " was not deleted in time: 1 pods left: orders-taskmanager-1-1"));
  }

  private ClusterDeletion begun(boolean everything) {
    return begun(Set.of(Refs.JOB_ID), everything);
  }

  private ClusterDeletion begun(Set<String> jobIds, boolean everything) {
    return begun(jobIds, null, everything);
  }

  private ClusterDeletion begun(
      Set<String> jobIds, ClusterObservation.@Nullable Evidence onlyWhile, boolean everything) {
    ClusterDeletion deletion =
        new ClusterDeletion(
            new DeleteClusterRequest(
                ref,
                Refs.cluster(ref),
                jobIds,
                onlyWhile,
                everything,
                clock.in(Duration.ofMinutes(2))),
            new FlinkDeploymentStore(client),
            client,
            new ClusterAccess(new ClusterReader(client), informers, clock));
    deletion.begin();
    return deletion;
  }

  private void awaitPods(int count) {
    Awaitility.await().until(() -> informers.pods(Refs.cluster(ref)).size() == count);
  }

  private java.util.List<String> configMaps() {
    return client
        .configMaps()
        .inNamespace(namespace)
        .withLabel("app", "orders")
        .list()
        .getItems()
        .stream()
        .map(map -> map.getMetadata().getName())
        .toList();
  }
}
