package dev.sluice.activities.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.Quotas;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.workflows.activity.ClusterActivities.CreateClusterRequest;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ClusterCreationIT extends ClusterScenario {

  private static final FlinkDeploymentStatus FROZEN = frozen(Deployed.SPEC);

  @BeforeEach
  void freeze() {
    status(FROZEN);
  }

  @Test
  void create_makesAllThatAJobManagerNeeds() {
    createCluster();

    Deployment deployment = deployment("orders");
    assertThat(deployment.getMetadata().getAnnotations())
        .containsEntry(Annotations.JOB_ID, JOB)
        .containsEntry(Annotations.GENERATION, "1");
    assertThat(Ownership.of(deployment, ref)).isEqualTo(Ownership.OURS);
    assertThat(restService()).isNotNull();
    assertThat(configuration()).isNotNull();
  }

  /** As long as it carries another id, the job that was recorded was never started. */
  @Test
  void create_appliesTheConfigurationFirstAndItSaysForWhichJob() {
    Quotas.usedUp(client, namespace, "count/services");

    assertThat(failure(this::createCluster).getType()).isEqualTo(FailureType.REFUSED);
    assertThat(deployment("orders")).isNull();
    assertThat(configuration().getMetadata().getAnnotations())
        .containsEntry(Annotations.JOB_ID, JOB);
  }

  static List<FlinkDeploymentStatus> others() {
    return List.of(
        // another job is recorded
        FROZEN.withRecordedState(
            new RecordedState(RecordedState.Type.EMPTY, null, "words", null, OTHER_JOB)),
        // it is to go on from its metadata, which may be gone when a late start comes
        goesOn(),
        // the target cannot be read
        FlinkDeploymentStatus.EMPTY.withReconciliationStatus(
            ReconciliationStatus.EMPTY
                .withLastReconciledSpec("{")
                .withState(ReconciliationState.UPGRADING)),
        // no operation is begun
        FROZEN.withReconciliationStatus(
            FROZEN.reconciliationStatus().withState(ReconciliationState.DEPLOYED)));
  }

  @ParameterizedTest
  @MethodSource("others")
  void create_statusSaysSomethingElse_isOutdated(FlinkDeploymentStatus other) {
    status(other);

    assertThat(failure(this::createCluster).getType()).isEqualTo(FailureType.OUTDATED);
    assertThat(deployment("orders")).isNull();
    assertThat(configuration()).isNull();
  }

  /** FLINK-27572: metadata is looked at again before a job is started from it. */
  @ParameterizedTest
  @CsvSource({"counter, false", "checkpointID-0000000000000000018, true"})
  void create_fromMetadata_needsACheckpoint(String key, boolean started) {
    status(goesOn());
    configMap(metadataOf(JOB), Map.of(key, "3"));
    CreateClusterRequest goOn =
        new CreateClusterRequest(ref, Refs.job(ref, JOB), 1, new StateRef.HaMetadata(JOB));

    if (started) {
      create(goOn);
    } else {
      assertThat(failure(() -> create(goOn)).getType()).isEqualTo(FailureType.OUTDATED);
    }

    assertThat(deployment("orders") != null).isEqualTo(started);
  }

  /** The API server refuses the one change of its address, and ignores the other. */
  @ParameterizedTest
  @CsvSource({"ClusterIP, Headless_ClusterIP", "Headless_ClusterIP, ClusterIP"})
  void create_addressOfServiceChanges_replacesIt(String before, String after) {
    status(frozen(with(Map.of("kubernetes.rest-service.exposed.type", before))));
    createCluster();
    client.resource(deployment("orders")).delete();
    status(frozen(with(Map.of("kubernetes.rest-service.exposed.type", after))));

    assertThat(failure(this::createCluster).getType()).isEqualTo(FailureType.CLUSTER_NOT_GONE);
    createCluster();

    assertThat(restService().getSpec().getClusterIP().equals("None"))
        .isEqualTo(after.startsWith("Headless"));
  }

  /** Temporal has begun another attempt by then, and the workflow may have gone on. */
  @Test
  void create_attemptTakesTooLong_writesNothing() {
    ClusterCreation late =
        new ClusterCreation(store, reader, new ManifestApply(client), EffectWindow.open(clock));
    clock.advance(Duration.ofSeconds(6));

    ApplicationFailure failure =
        failure(
            () ->
                late.create(
                    new CreateClusterRequest(
                        ref, Refs.job(ref, JOB), 1, new StateRef.Empty("a test"))));

    assertThat(failure.getType()).isEqualTo("KubernetesUnavailable");
    assertThat(failure.isNonRetryable()).isFalse();
    assertThat(configuration()).isNull();
  }

  /** FLINK-32774, FLINK-38858: a start that is repeated makes no second job. */
  @Test
  void create_again_writesOnlyWhatIsMissing() {
    createCluster();
    List<String> before =
        List.of(version(deployment("orders")), version(configuration()), version(restService()));

    createCluster();

    assertThat(
            List.of(
                version(deployment("orders")), version(configuration()), version(restService())))
        .isEqualTo(before);
    client.resource(deployment("orders")).delete();
    createCluster();
    assertThat(deployment("orders")).isNotNull();
    assertThat(version(configuration())).isEqualTo(before.get(1));
  }

  @Test
  void create_clusterOfAnotherJobIsThere_leavesIt() {
    createCluster();
    String before = version(deployment("orders"));

    ApplicationFailure failure =
        failure(
            () ->
                create(
                    new CreateClusterRequest(
                        ref, Refs.job(ref, OTHER_JOB), 1, new StateRef.Empty("a test"))));

    assertThat(failure.getType()).isEqualTo(FailureType.OUTDATED);
    assertThat(failure.isNonRetryable()).isTrue();
    assertThat(version(deployment("orders"))).isEqualTo(before);
  }

  @Test
  void create_deploymentOfSomebodyElse_isNameTaken() {
    client.resource(Clusters.deployment(namespace, null)).create();

    ApplicationFailure failure = failure(this::createCluster);

    assertThat(failure.getType()).isEqualTo(FailureType.NAME_TAKEN);
    assertThat(failure.getOriginalMessage())
        .isEqualTo(
            "Deployment orders has no owner; its name is needed for FlinkDeployment "
                + ref.display()
                + ": rename one of them");
  }

  @Test
  void create_deploymentOfEarlierInstance_isWaitedFor() {
    client.resource(Clusters.deployment(namespace, "earlier-uid")).create();

    ApplicationFailure failure = failure(this::createCluster);

    assertThat(failure.getType()).isEqualTo(FailureType.CLUSTER_NOT_GONE);
    assertThat(failure.isNonRetryable()).isFalse();
  }

  private static FlinkDeploymentStatus goesOn() {
    return frozen(
            with(
                Map.of(
                    "high-availability.type", "kubernetes",
                    "high-availability.storageDir", "file:/ha")))
        .withRecordedState(new RecordedState(RecordedState.Type.HA_METADATA, null, null, JOB, JOB));
  }

  private static FlinkDeploymentSpec with(Map<String, String> options) {
    return Deployed.SPEC.withConfiguration(Deployed.SPEC.configuration().withAll(options));
  }

  private Service restService() {
    return client.services().inNamespace(namespace).withName("orders-rest").get();
  }

  private ConfigMap configuration() {
    return client.configMaps().inNamespace(namespace).withName("flink-config-orders").get();
  }
}
