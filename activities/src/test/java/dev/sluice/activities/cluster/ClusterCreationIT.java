package dev.sluice.activities.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.activities.support.Deployed;
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
import dev.sluice.workflows.activity.ClusterActivities.CreateClusterRequest;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(ApiServer.Extension.class)
class ClusterCreationIT {

  private static final String JOB = Refs.JOB_ID;
  private static final String OTHER_JOB = Refs.OTHER_JOB_ID;

  private static final FlinkDeploymentStatus FROZEN =
      FlinkDeploymentStatus.EMPTY.withReconciliationStatus(
          ReconciliationStatus.EMPTY
              .withLastReconciledSpec(new FrozenSpec(Deployed.SPEC, 1, true).toJson())
              .withState(ReconciliationState.UPGRADING));

  private final TestClock clock = new TestClock();
  private KubernetesClient client;
  private String namespace;
  private ResourceRef ref;
  private ClusterCreation creation;

  @BeforeEach
  void freeze(ApiServer server) {
    client = server.client();
    namespace = server.namespace();
    FlinkDeployment created = client.resource(Deployed.orders(namespace)).create();
    ref = Deployed.ref(created);
    creation =
        new ClusterCreation(
            new FlinkDeploymentStore(client),
            new ClusterReader(client),
            new ManifestApply(client),
            EffectWindow.open(clock));
    status(FROZEN);
  }

  @Test
  void allThatAJobManagerNeedsIsMadeAndOwnedByTheResource() {
    creation.create(request(JOB));

    Deployment deployment = deployment();
    assertThat(deployment.getMetadata().getAnnotations())
        .containsEntry(Annotations.JOB_ID, JOB)
        .containsEntry(Annotations.GENERATION, "1");
    assertThat(Ownership.of(deployment, ref)).isEqualTo(Ownership.OURS);
    assertThat(client.services().inNamespace(namespace).withName("orders-rest").get()).isNotNull();
    assertThat(client.configMaps().inNamespace(namespace).withName("flink-config-orders").get())
        .isNotNull();
  }

  /** As long as it carries another id, the job that was recorded was never started. */
  @Test
  void theConfigurationIsAppliedFirstAndSaysForWhichJob() {
    quotaOfNone("services");

    assertThat(failure().getType()).isEqualTo(FailureType.REFUSED);
    assertThat(deployment()).isNull();
    assertThat(
            client
                .configMaps()
                .inNamespace(namespace)
                .withName("flink-config-orders")
                .get()
                .getMetadata()
                .getAnnotations())
        .containsEntry(Annotations.JOB_ID, JOB);
  }

  @Test
  void aJobThatIsNotTheRecordedOneIsNotStarted() {
    status(
        FROZEN.withRecordedState(
            new RecordedState(RecordedState.Type.EMPTY, null, "words", null, OTHER_JOB)));

    assertThat(failure().getType()).isEqualTo(FailureType.OUTDATED);
    assertThat(deployment()).isNull();
    assertThat(client.configMaps().inNamespace(namespace).list().getItems())
        .extracting(map -> map.getMetadata().getName())
        .doesNotContain("flink-config-orders");
  }

  /** FLINK-27572: metadata is looked at again before a job is started from it. */
  @Test
  void aJobWhoseMetadataHasNoCheckpointIsNotStarted() {
    status(goesOn());
    metadata(Map.of("counter", "3"));

    assertThatThrownBy(() -> creation.create(goOn()))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> assertThat(failure.getType()).isEqualTo(FailureType.OUTDATED));
    assertThat(deployment()).isNull();
  }

  @Test
  void aJobGoesOnFromItsMetadataUnderTheSameId() {
    status(goesOn());
    metadata(Map.of("checkpointID-0000000000000000018", "handle"));

    creation.create(goOn());

    assertThat(deployment().getMetadata().getAnnotations()).containsEntry(Annotations.JOB_ID, JOB);
  }

  /** Its metadata may be gone by then, and the path would take the job back. */
  @Test
  void aLateStartFromAPathIsRefusedOnceTheJobIsToGoOnFromItsMetadata() {
    status(goesOn());

    assertThat(failure().getType()).isEqualTo(FailureType.OUTDATED);
    assertThat(deployment()).isNull();
  }

  private static FlinkDeploymentStatus goesOn() {
    FrozenSpec spec =
        new FrozenSpec(
            Deployed.SPEC.withConfiguration(
                Deployed.SPEC
                    .configuration()
                    .withAll(
                        Map.of(
                            "high-availability.type", "kubernetes",
                            "high-availability.storageDir", "file:/ha"))),
            1,
            true);
    return FlinkDeploymentStatus.EMPTY
        .withReconciliationStatus(
            FROZEN.reconciliationStatus().withLastReconciledSpec(spec.toJson()))
        .withRecordedState(new RecordedState(RecordedState.Type.HA_METADATA, null, null, JOB, JOB));
  }

  private void metadata(Map<String, String> data) {
    client
        .resource(
            new ConfigMapBuilder(
                    Clusters.configMap(namespace, "orders-" + JOB + "-config-map", null))
                .withData(data)
                .build())
        .create();
  }

  private CreateClusterRequest goOn() {
    return new CreateClusterRequest(ref, Refs.job(ref, JOB), 1, new StateRef.HaMetadata(JOB));
  }

  /** The API server refuses the one change of its address, and ignores the other. */
  @ParameterizedTest
  @CsvSource({"ClusterIP, Headless_ClusterIP", "Headless_ClusterIP, ClusterIP"})
  void aServiceWhoseAddressChangesIsMadeAnew(String before, String after) {
    status(exposedAs(before));
    creation.create(request(JOB));
    client.resource(deployment()).delete();
    status(exposedAs(after));

    assertThat(failure().getType()).isEqualTo(FailureType.CLUSTER_NOT_GONE);
    creation.create(request(JOB));

    assertThat(restService().getSpec().getClusterIP().equals("None"))
        .isEqualTo(after.startsWith("Headless"));
  }

  private Service restService() {
    return client.services().inNamespace(namespace).withName("orders-rest").get();
  }

  private static FlinkDeploymentStatus exposedAs(String type) {
    FrozenSpec spec =
        new FrozenSpec(
            Deployed.SPEC.withConfiguration(
                Deployed.SPEC
                    .configuration()
                    .withAll(Map.of("kubernetes.rest-service.exposed.type", type))),
            1,
            true);
    return FROZEN.withReconciliationStatus(
        FROZEN.reconciliationStatus().withLastReconciledSpec(spec.toJson()));
  }

  @Test
  void aTargetThatCannotBeReadIsNotCreated() {
    status(
        FlinkDeploymentStatus.EMPTY.withReconciliationStatus(
            ReconciliationStatus.EMPTY
                .withLastReconciledSpec("{")
                .withState(ReconciliationState.UPGRADING)));

    assertThat(failure().getType()).isEqualTo(FailureType.OUTDATED);
  }

  @Test
  void nothingIsMadeUnlessAnOperationIsBegun() {
    status(
        FROZEN.withReconciliationStatus(
            FROZEN.reconciliationStatus().withState(ReconciliationState.DEPLOYED)));

    assertThat(failure().getType()).isEqualTo(FailureType.OUTDATED);
    assertThat(deployment()).isNull();
  }

  /** The engine has begun another attempt by then, and the workflow may have gone on. */
  @Test
  void anAttemptThatTookTooLongWritesNothingMore() {
    clock.advance(Duration.ofSeconds(6));

    assertThat(failure().getType()).isEqualTo("KubernetesUnavailable");
    assertThat(failure().isNonRetryable()).isFalse();
    assertThat(deployment()).isNull();
  }

  @Test
  void nothingIsMadeForAResourceThatIsGone() {
    client.resource(Deployed.orders(namespace)).delete();

    assertThat(failure().getType()).isEqualTo(FailureType.RESOURCE_GONE);
    assertThat(deployment()).isNull();
  }

  /** FLINK-32774, FLINK-38858: a start that is repeated makes no second job. */
  @Test
  void doingItAgainWritesNothing() {
    creation.create(request(JOB));
    List<String> before = versions();

    creation.create(request(JOB));

    assertThat(versions()).isEqualTo(before);
  }

  @Test
  void afterTheDeploymentWentOnlyItIsWritten() {
    creation.create(request(JOB));
    String config = configVersion();
    client.resource(deployment()).delete();

    creation.create(request(JOB));

    assertThat(deployment()).isNotNull();
    assertThat(configVersion()).isEqualTo(config);
  }

  @Test
  void aClusterWithAnotherJobIsNeverChanged() {
    creation.create(request(JOB));
    String before = deployment().getMetadata().getResourceVersion();

    assertThatThrownBy(() -> creation.create(request(OTHER_JOB)))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> {
              assertThat(failure.getType()).isEqualTo(FailureType.OUTDATED);
              assertThat(failure.isNonRetryable()).isTrue();
            });
    assertThat(deployment().getMetadata().getResourceVersion()).isEqualTo(before);
  }

  @Test
  void aDeploymentOfSomebodyElseIsLeftAlone() {
    client.resource(Clusters.deployment(namespace, null)).create();

    assertThat(failure().getType()).isEqualTo(FailureType.NAME_TAKEN);
    assertThat(failure().getOriginalMessage())
        .isEqualTo(
            "Deployment orders has no owner; its name is needed for FlinkDeployment "
                + ref.display()
                + ": rename one of them");
  }

  @Test
  void aConfigMapOfSomebodyElseIsLeftAlone() {
    client
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("flink-config-orders")
                .endMetadata()
                .build())
        .create();

    assertThat(failure().getType()).isEqualTo(FailureType.NAME_TAKEN);
    assertThat(deployment()).isNull();
  }

  @Test
  void whatAnEarlierInstanceLeftIsWaitedFor() {
    client.resource(Clusters.deployment(namespace, "earlier-uid")).create();

    assertThat(failure().getType()).isEqualTo(FailureType.CLUSTER_NOT_GONE);
    assertThat(failure().isNonRetryable()).isFalse();
  }

  @Test
  void aGenerationThatIsNotFrozenIsRefused() {
    assertThatThrownBy(
            () ->
                creation.create(
                    new CreateClusterRequest(ref, Refs.job(ref, JOB), 2, new StateRef.Empty(""))))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> {
              assertThat(failure.getType()).isEqualTo(FailureType.OUTDATED);
              assertThat(failure.getOriginalMessage()).contains("generation 2", "generation 1");
            });
  }

  @Test
  void anObjectThatKubernetesRefusesIsToldInItsWords() {
    quotaOfNone("deployments.apps");

    assertThat(failure().getType()).isEqualTo(FailureType.REFUSED);
    assertThat(failure().isNonRetryable()).isFalse();
    assertThat(failure().getOriginalMessage()).contains("exceeded quota: none");
  }

  private void status(FlinkDeploymentStatus status) {
    FlinkDeployment resource = client.resource(Deployed.orders(namespace)).get();
    resource.setStatus(status);
    client.resource(resource).subresource("status").update();
  }

  private void quotaOfNone(String what) {
    Map<String, Quantity> none = Map.of("count/" + what, new Quantity("0"));
    client
        .resource(
            new ResourceQuotaBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("none")
                .endMetadata()
                .withNewSpec()
                .withHard(none)
                .endSpec()
                .build())
        .create();
    // without a controller-manager nobody computes it
    client
        .resourceQuotas()
        .inNamespace(namespace)
        .withName("none")
        .editStatus(
            quota ->
                new ResourceQuotaBuilder(quota)
                    .withNewStatus()
                    .withHard(none)
                    .withUsed(none)
                    .endStatus()
                    .build());
  }

  private ApplicationFailure failure() {
    try {
      creation.create(request(JOB));
    } catch (ApplicationFailure failure) {
      return failure;
    }
    throw new AssertionError("the cluster was created");
  }

  private CreateClusterRequest request(String jobId) {
    return new CreateClusterRequest(ref, Refs.job(ref, jobId), 1, new StateRef.Empty("a test"));
  }

  private Deployment deployment() {
    return client.apps().deployments().inNamespace(namespace).withName("orders").get();
  }

  private String configVersion() {
    return client
        .configMaps()
        .inNamespace(namespace)
        .withName("flink-config-orders")
        .get()
        .getMetadata()
        .getResourceVersion();
  }

  private List<String> versions() {
    return Stream.of(
            deployment().getMetadata().getResourceVersion(),
            configVersion(),
            client
                .services()
                .inNamespace(namespace)
                .withName("orders-rest")
                .get()
                .getMetadata()
                .getResourceVersion())
        .toList();
  }
}
