package dev.sluice.activities.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.deployment.KubernetesDeploymentMode;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.ClusterActivities.CreateClusterRequest;
import dev.sluice.workflows.activity.ClusterActivities.DeleteClusterRequest;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A cluster whose TaskManagers are a Deployment: made, found, stopped and deleted with it. */
@ExtendWith(ApiServer.Extension.class)
class StandaloneClusterIT {

  private static final FlinkDeploymentSpec SPEC =
      Deployed.SPEC.withMode(KubernetesDeploymentMode.STANDALONE);

  private final TestClock clock = new TestClock();
  private KubernetesClient client;
  private String namespace;
  private ResourceRef ref;
  private ClusterInformers informers;

  @BeforeEach
  void freeze(ApiServer server) {
    client = server.client();
    namespace = server.namespace();
    FlinkDeployment created = client.resource(Deployed.orders(namespace)).create();
    ref = Deployed.ref(created);
    FlinkDeployment resource =
        client.resources(FlinkDeployment.class).inNamespace(namespace).withName("orders").get();
    resource.setStatus(
        FlinkDeploymentStatus.EMPTY.withReconciliationStatus(
            ReconciliationStatus.EMPTY
                .withLastReconciledSpec(new FrozenSpec(SPEC, 1, true).toJson())
                .withState(ReconciliationState.UPGRADING)));
    client.resource(resource).subresource("status").update();
    informers = ClusterInformers.start(client, Set.of(namespace), woken -> {});
    Awaitility.await().until(() -> informers.problem().isEmpty());
  }

  @AfterEach
  void stop() {
    informers.close();
  }

  @Test
  void theTaskManagersBelongToTheJobManager() {
    create();

    assertThat(taskManagers().getMetadata().getOwnerReferences())
        .containsExactly(
            new OwnerReference(
                "apps/v1",
                true,
                true,
                "Deployment",
                "orders",
                jobManager().getMetadata().getUid()));
    assertThat(taskManagers().getMetadata().getAnnotations())
        .containsEntry(Annotations.JOB_ID, Refs.JOB_ID);
  }

  @Test
  void creatingItTwiceChangesNothing() {
    create();
    List<String> before = versions();

    create();

    assertThat(versions()).isEqualTo(before);
  }

  /** An attempt that ended between the two, or somebody who deleted them by hand. */
  @Test
  void taskManagersThatAreMissingAreMadeForTheJobManagerThatIsThere() {
    create();
    String jobManager = jobManager().getMetadata().getResourceVersion();
    client.resource(taskManagers()).delete();

    create();

    assertThat(jobManager().getMetadata().getResourceVersion()).isEqualTo(jobManager);
    assertThat(Ownership.isOwnedBy(taskManagers(), jobManager())).isTrue();
  }

  @Test
  void taskManagersOfAnEarlierJobManagerAreWaitedFor() {
    create();
    collect();
    client.resource(jobManager()).delete();

    assertThat(failure().getType()).isEqualTo(FailureType.CLUSTER_NOT_GONE);

    // and when
    client.resource(taskManagers()).delete();
    create();

    assertThat(Ownership.isOwnedBy(taskManagers(), jobManager())).isTrue();
  }

  @Test
  void aDeploymentOfSomebodyElseThatHasTheirNameIsLeftAlone() {
    Deployment foreign =
        client
            .resource(
                new DeploymentBuilder(Clusters.deployment(namespace, null))
                    .editMetadata()
                    .withName("orders-taskmanager")
                    .withLabels(null)
                    .endMetadata()
                    .build())
            .create();

    ApplicationFailure taken = failure();

    assertThat(taken.getType()).isEqualTo(FailureType.NAME_TAKEN);
    assertThat(taken.getOriginalMessage()).contains("orders-taskmanager");
    assertThat(client.resource(foreign).get().getMetadata().getResourceVersion())
        .isEqualTo(foreign.getMetadata().getResourceVersion());
    // nor is it waited for when the cluster goes
    assertThat(deletion().look()).isInstanceOf(ProbeResult.NotYet.class);
    collect();
    Awaitility.await()
        .untilAsserted(() -> assertThat(deletion().look()).isEqualTo(ProbeResult.done(null)));
  }

  /** A TaskManager of the old job must not register with the new JobManager. */
  @Test
  void theClusterIsGoneWhenTheTaskManagersAreToo() {
    create();
    ClusterDeletion deletion = deletion();
    Deployment taskManagers = taskManagers();
    collect();

    Awaitility.await().until(() -> informers.deployment(Refs.cluster(ref)).isEmpty());
    assertThat(deletion.look())
        .isInstanceOfSatisfying(
            ProbeResult.NotYet.class,
            left -> assertThat(left.progress()).startsWith("Deployment orders-taskmanager"));

    // and when
    client.resource(taskManagers).delete();

    Awaitility.await()
        .untilAsserted(() -> assertThat(deletion.look()).isEqualTo(ProbeResult.done(null)));
  }

  /** They belong to the resource; no garbage collector would take them with the JobManager. */
  @Test
  void taskManagersThatApachesOperatorMadeAreDeletedToo() {
    create();
    Deployment theirs =
        client
            .apps()
            .deployments()
            .inNamespace(namespace)
            .withName("orders-taskmanager")
            .edit(
                it ->
                    it.edit()
                        .editMetadata()
                        .withOwnerReferences(
                            new OwnerReferenceBuilder()
                                .withApiVersion(FlinkDeployment.API_VERSION)
                                .withKind("FlinkDeployment")
                                .withName("orders")
                                .withUid(ref.uid())
                                .build())
                        .endMetadata()
                        .build());

    ClusterDeletion unused = deletion();

    assertThat(client.resource(theirs).get().getMetadata().getDeletionTimestamp()).isNotNull();
  }

  @Test
  void aCallThatComesLateDeletesNothingOfTheNextJobs() {
    create();

    assertThatThrownBy(() -> deletion(Refs.OTHER_JOB_ID))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> assertThat(failure.getType()).isEqualTo(FailureType.OUTDATED));
    assertThat(taskManagers().getMetadata().getDeletionTimestamp()).isNull();
    assertThat(jobManager().getMetadata().getDeletionTimestamp()).isNull();
  }

  @Test
  void bothAreObservedAndSoIsWhyTheirPodsAreRefused() {
    create();
    client
        .apps()
        .deployments()
        .inNamespace(namespace)
        .withName("orders-taskmanager")
        .editStatus(
            it ->
                it.edit()
                    .withNewStatus()
                    .addNewCondition()
                    .withType("ReplicaFailure")
                    .withStatus("True")
                    .withMessage("exceeded quota: small")
                    .endCondition()
                    .endStatus()
                    .build());

    ClusterObjects objects = new ClusterReader(client).objects(Refs.cluster(ref));

    assertThat(
            ClusterEvidence.of(new FlinkDeploymentStore(client).running(ref), ref, objects, null)
                .problem())
        .isEqualTo("Kubernetes refuses a TaskManager pod: exceeded quota: small");
    assertThat(objects.configMaps())
        .extracting(map -> map.getMetadata().getName())
        .containsExactly("flink-config-orders");
    Awaitility.await().until(() -> informers.taskManagers(Refs.cluster(ref)).isPresent());
  }

  private void create() {
    new ClusterCreation(
            new FlinkDeploymentStore(client),
            new ClusterReader(client),
            new ManifestApply(client),
            EffectWindow.open(clock))
        .create(
            new CreateClusterRequest(
                ref, Refs.job(ref, Refs.JOB_ID), 1, new StateRef.Empty("a test")));
  }

  private ApplicationFailure failure() {
    try {
      create();
    } catch (ApplicationFailure failure) {
      return failure;
    }
    throw new AssertionError("the cluster was created");
  }

  private ClusterDeletion deletion() {
    return deletion(Refs.JOB_ID);
  }

  private ClusterDeletion deletion(String jobId) {
    ClusterDeletion deletion =
        new ClusterDeletion(
            new DeleteClusterRequest(
                ref,
                Refs.cluster(ref),
                Set.of(jobId),
                null,
                false,
                clock.in(Duration.ofMinutes(2))),
            new FlinkDeploymentStore(client),
            client,
            access());
    deletion.begin();
    return deletion;
  }

  private ClusterAccess access() {
    return new ClusterAccess(new ClusterReader(client), informers, clock);
  }

  /** What the garbage collector does with a JobManager that is being deleted; none runs here. */
  private void collect() {
    client
        .apps()
        .deployments()
        .inNamespace(namespace)
        .withName("orders")
        .edit(it -> it.edit().editMetadata().withFinalizers(List.of()).endMetadata().build());
  }

  private List<String> versions() {
    return List.of(
        jobManager().getMetadata().getResourceVersion(),
        taskManagers().getMetadata().getResourceVersion());
  }

  private Deployment jobManager() {
    return deployment("orders");
  }

  private Deployment taskManagers() {
    return deployment("orders-taskmanager");
  }

  private Deployment deployment(String name) {
    return client.apps().deployments().inNamespace(namespace).withName(name).get();
  }
}
