package dev.sluice.activities.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.workflows.activity.ClusterActivities.DeleteClusterRequest;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ClusterObservation.Evidence;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.ClusterObservation.JobManager;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterDeletionIT extends ClusterScenario {

  private static final Map<String, String> LEADERS =
      Map.of("org.apache.flink.k8s.leader.restserver", "a session,http://10.0.0.7:8081");
  private static final Map<String, String> POINTERS =
      Map.of("checkpointID-0000000000000000018", "a handle", "counter", "19");
  private static final ProbeResult<Void> DONE = ProbeResult.done(null);

  @Test
  void look_podsLeft_waitsForThem() {
    Set<String> woken = ConcurrentHashMap.newKeySet();
    Deployment deployment = jobManager(JOB, 1);
    Pod pod =
        client
            .resource(Clusters.taskManager(namespace, deployment.getMetadata().getUid()))
            .create();
    try (ClusterInformers informers =
        ClusterInformers.start(client, Set.of(namespace), woken::add)) {
      access = new ClusterAccess(reader, informers, clock);
      Awaitility.await().until(() -> informers.problem().isEmpty());
      ClusterDeletion deletion = upgrade();

      assertThat(deletion.look()).isEqualTo(notYet("1 pods left: orders-taskmanager-1-1"));
      Clusters.collect(client, deployment);
      client.resource(pod).withGracePeriod(0).delete();

      Awaitility.await().untilAsserted(() -> assertThat(deletion.look()).isEqualTo(DONE));
      assertThat(woken).contains(ref.display());
    }
  }

  /** While the Deployment is there its ReplicaSet may be, which could replace a pod that ended. */
  @Test
  void look_deploymentLeft_waitsUntilAllThatItOwnsIsGone() {
    Deployment deployment = jobManager(JOB, 1);
    ClusterDeletion deletion = upgrade();

    ProbeResult<Void> left = deletion.look();

    assertThat(left)
        .isEqualTo(
            notYet("Deployment orders belongs to FlinkDeployment orders and is not gone yet"));
    assertThat(client.resource(deployment).get().getFinalizers())
        .containsExactly("foregroundDeletion");
    Clusters.collect(client, deployment);
    assertThat(deletion.look()).isEqualTo(DONE);
  }

  @ParameterizedTest
  @CsvSource({"earlier, false", "ours, true"})
  void look_deploymentThatGoesAnyway_isWaitedFor(String owner, boolean deleting) {
    Deployment there =
        client
            .resource(
                new DeploymentBuilder(
                        Clusters.deployment(namespace, owner.equals("ours") ? ref.uid() : owner))
                    .editMetadata()
                    .addToAnnotations("sluice.dev/job-id", OTHER_JOB)
                    .addToFinalizers("example.com/slow")
                    .endMetadata()
                    .build())
            .create();
    if (deleting) {
      client.resource(there).delete();
    }

    assertThat(upgrade().look()).isInstanceOf(ProbeResult.NotYet.class);
    assertThat(isBeingDeleted(there)).isEqualTo(deleting);
    Clusters.collect(client, there);
  }

  @Test
  void look_deploymentOfSomebodyElse_isNameTaken() {
    Deployment foreign = client.resource(Clusters.deployment(namespace, null)).create();

    assertThat(type(upgrade())).isEqualTo(FailureType.NAME_TAKEN);
    assertThat(isBeingDeleted(foreign)).isFalse();
  }

  @Test
  void look_deploymentOfAnotherJob_isOutdated() {
    Deployment other = jobManager(OTHER_JOB, 1);

    assertThat(type(upgrade())).isEqualTo(FailureType.OUTDATED);
    assertThat(isBeingDeleted(other)).isFalse();
    assertThat(type(deletion(Set.of(JOB, OTHER_JOB), null, null, null, false, null)))
        .contains("NotYet");
    assertThat(isBeingDeleted(other)).isTrue();
  }

  /** A start that an upgrade of the same job makes has the same job id. */
  @Test
  void look_deploymentOfLaterGeneration_isOutdated() {
    configMap(metadataOf(JOB), POINTERS);
    Deployment later = jobManager(JOB, 2);

    assertThat(type(keeping(JOB))).isEqualTo(FailureType.OUTDATED);
    assertThat(isBeingDeleted(later)).isFalse();
  }

  @Test
  void look_jobManagerThatHasRunSinceItWasPlanned_isOutdated() {
    Deployment cluster = jobManager(JOB, 1);

    assertThat(type(onlyWhile(JobManager.MAY_HAVE_RUN))).isEqualTo(FailureType.OUTDATED);
    assertThat(isBeingDeleted(cluster)).isFalse();
    assertThat(type(onlyWhile(JobManager.NEVER_READY))).contains("NotYet");
    assertThat(isBeingDeleted(cluster)).isTrue();
  }

  @Test
  void look_resourceIsDeleted_takesADeploymentOfAnyJobAndWhatAnUpgradeKeeps() {
    Deployment ours = jobManager(OTHER_JOB, 1);
    client.resource(Clusters.configMap(namespace, "flink-config-orders", ref.uid())).create();
    client.resource(Clusters.configMap(namespace, "somebody-elses", "other-uid")).create();
    status(
        FlinkDeploymentStatus.EMPTY.withReconciliationStatus(
            ReconciliationStatus.EMPTY.withLastReconciledSpec("{").withLastStableSpec("[]")));
    ClusterDeletion deletion = everything(null);

    assertThat(deletion.look()).isInstanceOf(ProbeResult.NotYet.class);
    Clusters.collect(client, ours);

    assertThat(deletion.look()).isEqualTo(DONE);
    assertThat(configMaps()).containsExactly("somebody-elses");
  }

  /** Whatever has the name then may be somebody else's. */
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void look_resourceIsGone_deletesNothing(boolean another) {
    Deployment left = jobManager(JOB, 1);
    configMap(CLUSTER_MAP, LEADERS);
    client.resource(Deployed.orders(namespace)).delete();
    if (another) {
      client.resource(Deployed.orders(namespace)).create();
    }

    assertThat(type(everything(null))).isEqualTo(FailureType.RESOURCE_GONE);
    assertThat(isBeingDeleted(left)).isFalse();
    assertThat(configMaps()).containsExactly(CLUSTER_MAP);
  }

  @Test
  void look_resourceGoesMeanwhile_keepsTheMetadata() {
    Deployment deployment = jobManager(JOB, 1);
    configMap(CLUSTER_MAP, LEADERS);
    ClusterDeletion deletion = upgrade();
    deletion.look();
    client.resource(Deployed.orders(namespace)).delete();
    Clusters.collect(client, deployment);

    assertThat(type(deletion)).isEqualTo(FailureType.RESOURCE_GONE);
    assertThat(configMaps()).containsExactly(CLUSTER_MAP);
  }

  @Test
  void look_metadata_goesOnceNoPodIsLeft() {
    configMap(CLUSTER_MAP, LEADERS);
    configMap(metadataOf(JOB), POINTERS);
    client.resource(Clusters.configMap(namespace, "flink-config-orders", ref.uid())).create();
    Pod pod = client.resource(Clusters.taskManager(namespace, "gone")).create();
    ClusterDeletion deletion = upgrade();

    deletion.look();

    assertThat(configMaps()).hasSize(3);
    client.resource(pod).withGracePeriod(0).delete();
    assertThat(deletion.look()).isEqualTo(DONE);
    assertThat(configMaps()).containsExactly("flink-config-orders");
  }

  @Test
  void finish_nextClusterIsThere_keepsItsMetadata() {
    jobManager(OTHER_JOB, 1);
    configMap(CLUSTER_MAP, LEADERS);

    assertThat(upgrade().finish())
        .isInstanceOfSatisfying(
            ProbeResult.Failed.class,
            failed -> assertThat(failed.type()).isEqualTo(FailureType.OUTDATED));
    assertThat(configMaps()).containsExactly(CLUSTER_MAP);
  }

  @Test
  void look_jobGoesOnFromTheMetadata_removesOnlyTheJobGraphs() {
    metadataWithGraphs();

    assertThat(keeping(JOB).look()).isEqualTo(DONE);

    assertThat(data(CLUSTER_MAP)).isEqualTo(LEADERS);
    assertThat(data(metadataOf(JOB))).isEqualTo(POINTERS);
    assertThat(data(metadataOf(OTHER_JOB))).isEqualTo(POINTERS);
  }

  /** Its JobManager may come back with all that it knows. */
  @Test
  void look_metadataToKeepHasVanished_isOutdated() {
    assertThat(type(keeping(JOB))).isEqualTo(FailureType.OUTDATED);
    Deployment cluster = jobManager(JOB, 1);

    assertThat(type(keeping(JOB))).isEqualTo(FailureType.OUTDATED);
    assertThat(isBeingDeleted(cluster)).isFalse();
  }

  /** FLINK-33011. Flink would ignore a path as long as there is metadata. */
  @ParameterizedTest
  @CsvSource({"HA_METADATA, true", "SAVEPOINT, false"})
  void look_late_keepsTheMetadataThatIsRecorded(RecordedState.Type type, boolean kept) {
    metadataWithGraphs();
    status(
        frozen(Deployed.SPEC)
            .withRecordedState(new RecordedState(type, "file:/s", null, JOB, JOB)));

    assertThat(upgrade().look()).isEqualTo(DONE);

    assertThat(configMaps().contains(metadataOf(JOB))).isEqualTo(kept);
  }

  /** A JobManager that gets a SIGTERM while it removes that hangs for 5 s, and leaves it. */
  @Test
  void look_jobManagerRemovesTheMetadataOfItsJob_waitsForThreeSeconds() {
    Deployment cluster = jobManager(JOB, 1);
    configMap(metadataOf(JOB), POINTERS);
    ClusterDeletion deletion = everything(JOB);

    assertThat(deletion.look())
        .isEqualTo(notYet("Flink is removing the high-availability metadata of job " + JOB));
    assertThat(isBeingDeleted(cluster)).isFalse();
    clock.advance(Duration.ofSeconds(3));
    deletion.look();

    assertThat(isBeingDeleted(cluster)).isTrue();
  }

  /** A Deployment {@code <name>-taskmanager} that is none of this cluster. */
  @ParameterizedTest
  @CsvSource({"orders, none", "bills, FlinkDeployment"})
  void look_foreignTaskManagers_areNeitherWaitedForNorTouched(String app, String owner) {
    OwnerReference theirs =
        new OwnerReference("flink.apache.org/v1beta1", true, true, owner, "bills", "uid-2");
    Deployment foreign =
        client
            .resource(
                new DeploymentBuilder(Clusters.deployment(namespace, null))
                    .editMetadata()
                    .withName("orders-taskmanager")
                    .withLabels(Map.of("app", app, "type", "flink-standalone-kubernetes"))
                    .withOwnerReferences(owner.equals("none") ? List.of() : List.of(theirs))
                    .endMetadata()
                    .build())
            .create();
    String before = version(foreign);

    assertThat(upgrade().look()).isEqualTo(DONE);
    assertThat(everything(null).look()).isEqualTo(DONE);

    assertThat(version(foreign)).isEqualTo(before);
  }

  private void metadataWithGraphs() {
    configMap(metadataOf(JOB), POINTERS);
    configMap(metadataOf(OTHER_JOB), POINTERS);
    configMap(
        CLUSTER_MAP,
        Map.of(
            "org.apache.flink.k8s.leader.restserver",
            "a session,http://10.0.0.7:8081",
            "jobGraph-" + JOB,
            "a graph of 1.x",
            "executionPlan-" + JOB,
            "a plan of 2.x"));
  }

  private static ProbeResult<Void> notYet(String progress) {
    return ProbeResult.notYet(progress);
  }

  private ClusterDeletion upgrade() {
    return deletion(Set.of(JOB), null, null, null, false, null);
  }

  private ClusterDeletion keeping(String job) {
    return deletion(Set.of(JOB), 1L, null, job, false, null);
  }

  private ClusterDeletion onlyWhile(JobManager jobManager) {
    Evidence evidence = new Evidence(jobManager, HighAvailability.OFF);
    return deletion(Set.of(JOB), null, evidence, null, false, null);
  }

  private ClusterDeletion everything(@Nullable String endedJob) {
    return deletion(Set.of(), null, null, null, true, endedJob);
  }

  private ClusterDeletion deletion(
      Set<String> jobIds,
      @Nullable Long generation,
      @Nullable Evidence onlyWhile,
      @Nullable String kept,
      boolean everything,
      @Nullable String endedJob) {
    return new ClusterDeletion(
        new DeleteClusterRequest(
            ref,
            Refs.cluster(ref),
            jobIds,
            generation,
            onlyWhile,
            kept,
            everything,
            endedJob,
            null,
            clock.in(Duration.ofMinutes(2))),
        store,
        client,
        access,
        null);
  }
}
