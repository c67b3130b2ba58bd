package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.cluster.ClusterReader;
import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.sessionjob.FlinkSessionJobStore;
import dev.sluice.activities.support.Deployed;
import dev.sluice.api.Annotations;
import dev.sluice.api.Labels;
import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.common.StableAfter;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotSpec;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.JobReference;
import dev.sluice.api.snapshot.SavepointSpec;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.snapshot.SnapshotActivities.DisposeRequest;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is asked to delete a savepoint whose own cluster is gone, on a real API server. */
@ExtendWith(ApiServer.Extension.class)
class DisposalClustersIT {

  private static final String PATH = "s3://bucket/savepoint-ab12cd-0123456789ab";
  private static final String GONE = "FlinkDeployment %s/orders does not exist";

  private KubernetesClient admin;
  private String namespace;

  /** Uid of the resource that the snapshot was made for; empty when it does not say. */
  private String madeFor = "";

  /** The session cluster that took it, for a FlinkSessionJob; empty for a FlinkDeployment. */
  private String sessionCluster = "";

  @BeforeEach
  void create(ApiServer server) {
    admin = server.client();
    namespace = server.namespace();
  }

  private FlinkStateSnapshot taken(String version) {
    FlinkStateSnapshot snapshot = new FlinkStateSnapshot();
    Map<String, String> annotations = new HashMap<>();
    if (!version.isEmpty()) {
      annotations.put(Annotations.FLINK_VERSION, version);
    }
    if (!sessionCluster.isEmpty()) {
      annotations.put(Annotations.SESSION_CLUSTER, sessionCluster);
    }
    snapshot.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(namespace)
            .withName("before")
            .withUid("uid")
            .withAnnotations(annotations)
            .withLabels(madeFor.isEmpty() ? Map.of() : Map.of(Labels.REFERENCE_UID, madeFor))
            .build());
    snapshot.setSpec(
        new FlinkStateSnapshotSpec(
            new JobReference(
                sessionCluster.isEmpty() ? JobKind.FLINK_DEPLOYMENT : JobKind.FLINK_SESSION_JOB,
                "orders"),
            new SavepointSpec(null, null, null, null),
            null,
            null));
    return snapshot;
  }

  private String choice(boolean others, String version, String path, String... failed) {
    ResourceRef ref =
        new ResourceRef("kubernetes", FlinkStateSnapshot.KIND, namespace, "before", "uid");
    FlinkDeploymentStore deployments = new FlinkDeploymentStore(admin);
    JobOwners owners =
        new JobOwners(
            new ResourceStores(
                List.of(
                    deployments,
                    new FlinkSessionJobStore(admin, deployments, StableAfter.NONE, Set.of()))));
    FlinkStateSnapshot snapshot = taken(version);
    DisposalClusters.Choice choice =
        new DisposalClusters(owners, new ClusterReader(admin), others)
            .choose(
                snapshot,
                owners.of(ref, snapshot),
                new DisposeRequest(ref, path, false, List.of(failed), 0));
    return choice instanceof DisposalClusters.Ask ask
        ? Optional.ofNullable(ask.other()).orElse("its own")
        : ((DisposalClusters.Nobody) choice).why();
  }

  private String choice(String... failed) {
    return choice(true, "v2_1", PATH, failed);
  }

  private FlinkDeployment runs(String in, String name, FlinkVersion version, boolean ready) {
    FlinkDeployment resource = Deployed.orders(in);
    resource.getMetadata().setName(name);
    resource.setSpec(Deployed.SPEC.withFlinkVersion(version));
    FlinkDeployment created = admin.resource(resource).create();
    String frozen = new FrozenSpec(resource.getSpec(), 1, false).toJson();
    created.setStatus(
        FlinkDeploymentStatus.EMPTY.withReconciliationStatus(
            new ReconciliationStatus(1L, frozen, frozen, ReconciliationState.DEPLOYED)));
    FlinkDeployment unused = admin.resource(created).updateStatus();
    Deployment jobManager = admin.resource(jobManager(created)).create();
    jobManager.getStatus().setReplicas(1);
    jobManager.getStatus().setReadyReplicas(ready ? 1 : 0);
    Deployment also = admin.resource(jobManager).updateStatus();
    return created;
  }

  private static Deployment jobManager(FlinkDeployment owner) {
    String name = owner.getMetadata().getName();
    return new DeploymentBuilder()
        .withNewMetadata()
        .withNamespace(owner.getMetadata().getNamespace())
        .withName(name)
        .withOwnerReferences(
            new OwnerReferenceBuilder()
                .withApiVersion("flink.apache.org/v1beta1")
                .withKind(FlinkDeployment.KIND)
                .withName(name)
                .withUid(owner.getMetadata().getUid())
                .build())
        .endMetadata()
        .withNewSpec()
        .withNewSelector()
        .addToMatchLabels("app", name)
        .endSelector()
        .withNewTemplate()
        .withNewMetadata()
        .addToLabels("app", name)
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName("main")
        .withImage("flink")
        .endContainer()
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }

  private String of(String name) {
    return "FlinkDeployment %s/%s".formatted(namespace, name);
  }

  @Test
  void whereItIsNotConfiguredOnlyItsOwnClusterIsAsked() {
    runs(namespace, "other", FlinkVersion.V2_2, true);

    assertThat(choice(false, "v2_1", PATH)).isEqualTo(GONE.formatted(namespace));
  }

  /** It outlives its jobs, and nothing else says any more where one of them ran. */
  @Test
  void theSessionClusterThatTookItIsAskedOnceItsFlinkSessionJobIsGone() {
    runs(namespace, "another", FlinkVersion.V2_2, true);
    runs(namespace, "session", FlinkVersion.V2_2, true);
    sessionCluster = "session";

    assertThat(choice(false, "v2_1", PATH)).isEqualTo(of("session"));
    assertThat(choice()).as("also where others may be asked").isEqualTo(of("session"));
    assertThat(choice(of("session"))).as("after that failed").isEqualTo(of("another"));
  }

  @Test
  void itsOwnClusterIsAskedWhileItIsThere() {
    runs(namespace, "another", FlinkVersion.V2_2, true);
    runs(namespace, "orders", FlinkVersion.V2_2, false);

    assertThat(choice()).isEqualTo("its own");
  }

  /** Its JobManager is scaled to no replicas, and the end of its job is noted there. */
  @Test
  void theClusterOfAJobThatHasEndedIsGone() {
    runs(namespace, "other", FlinkVersion.V2_2, true);
    ends(runs(namespace, "orders", FlinkVersion.V2_2, false), 0, "s3://bucket/chk-9");

    assertThat(choice()).isEqualTo(of("other"));
    assertThat(choice(false, "v2_1", PATH)).isEqualTo("its own");
  }

  /** The next spec starts from there, and no status says so. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void whatAJobThatHasEndedLeftIsLeft(int replicas) {
    runs(namespace, "other", FlinkVersion.V2_2, true);
    ends(runs(namespace, "orders", FlinkVersion.V2_2, false), replicas, PATH + "/_metadata");

    assertThat(choice()).isEqualTo(of("orders") + " may still be started from it: its job left it");
    assertThat(choice(false, "v2_1", PATH)).contains("its job left it");
  }

  /** It may be the newest state of the job, which nothing else tells any more. */
  @Test
  void nobodyIsAskedWhileTheJobIsLost() {
    runs(namespace, "other", FlinkVersion.V2_2, true);
    FlinkDeployment own = runs(namespace, "orders", FlinkVersion.V2_2, false);
    admin.apps().deployments().inNamespace(namespace).withName("orders").delete();

    assertThat(choice())
        .isEqualTo(
            of("orders")
                + " may still be started from it: its JobManager Deployment is missing, so it is not known what its job left");

    isSuspended(own);
    assertThat(choice()).as("suspended, with another state recorded").isEqualTo(of("other"));
  }

  private void ends(FlinkDeployment own, int replicas, String state) {
    Deployment unused =
        admin
            .apps()
            .deployments()
            .inNamespace(namespace)
            .withName(own.getMetadata().getName())
            .edit(
                it -> {
                  it.getSpec().setReplicas(replicas);
                  it.getMetadata()
                      .setAnnotations(
                          Map.of(
                              Annotations.FINISHED_JOB,
                              "a".repeat(32),
                              Annotations.FINISHED_AS,
                              "FAILED",
                              Annotations.FINISHED_STATE,
                              state));
                  return it;
                });
  }

  private void isSuspended(FlinkDeployment own) {
    JobSpec job = own.getSpec().job().withState(DesiredJobState.SUSPENDED);
    String frozen = new FrozenSpec(own.getSpec().withJob(job), 1, false).toJson();
    FlinkDeployment unused =
        admin
            .resources(FlinkDeployment.class)
            .inNamespace(namespace)
            .withName(own.getMetadata().getName())
            .editStatus(
                it -> {
                  it.setStatus(
                      it.getStatus()
                          .withReconciliationStatus(
                              new ReconciliationStatus(
                                  1L, frozen, frozen, ReconciliationState.DEPLOYED))
                          .withRecordedState(
                              new RecordedState(
                                  RecordedState.Type.SAVEPOINT,
                                  "s3://bucket/savepoint-ffffff-0123456789ab",
                                  null,
                                  null,
                                  "a".repeat(32))));
                  return it;
                });
  }

  @Test
  void otherwiseAnotherOneOfTheSameMajorVersionIsAsked() {
    runs(namespace, "a-flink-1", FlinkVersion.V1_20, true);
    runs(namespace, "b-flink-2", FlinkVersion.V2_2, true);

    assertThat(choice()).isEqualTo(of("b-flink-2"));
    assertThat(choice(true, "v1_18", PATH)).isEqualTo(of("a-flink-1"));
  }

  @Test
  void oneOfAnotherNamespaceIsNeverAsked() {
    String elsewhere = "elsewhere-" + UUID.randomUUID();
    admin
        .resource(
            new NamespaceBuilder().withNewMetadata().withName(elsewhere).endMetadata().build())
        .create();
    runs(elsewhere, "other", FlinkVersion.V2_2, true);

    assertThat(choice()).contains("no other cluster of Flink 2 in namespace " + namespace);
  }

  @Test
  void oneWhoseJobManagerIsNotReadyOrThatAnOperationIsAtWorkOnIsNotAsked() {
    runs(namespace, "a-not-ready", FlinkVersion.V2_2, false);
    FlinkDeployment busy = runs(namespace, "b-busy", FlinkVersion.V2_2, true);
    FlinkDeployment unused =
        admin
            .resources(FlinkDeployment.class)
            .inNamespace(namespace)
            .withName(busy.getMetadata().getName())
            .editStatus(
                it -> {
                  it.setStatus(
                      it.getStatus()
                          .withOperation(
                              OperationStatus.EMPTY
                                  .withType(OperationType.UPGRADE)
                                  .withState(OperationState.RUNNING)));
                  return it;
                });

    assertThat(choice()).contains("no other cluster of Flink 2");
  }

  @Test
  void afterOneThatFailedTheNextIsAskedAndThenTheFirstAgain() {
    List.of("a", "b", "c").forEach(it -> runs(namespace, it, FlinkVersion.V2_2, true));

    assertThat(choice()).isEqualTo(of("a"));
    assertThat(choice(of("a"))).isEqualTo(of("b"));
    assertThat(choice(of("a"), of("b"))).isEqualTo(of("c"));
    assertThat(choice(of("b"), of("c"), of("a"))).isEqualTo(of("b"));
  }

  /** It may have another storage: what it does not find is not known to be gone. */
  @Test
  void theClusterOfAResourceThatWasMadeAgainUnderItsNameIsAskedAsAnotherOne() {
    FlinkDeployment successor = runs(namespace, "orders", FlinkVersion.V2_2, true);
    madeFor = "of-the-one-before";

    assertThat(choice(false, "v2_1", PATH)).isEqualTo(of("orders"));
    assertThat(choice(true, "v2_1", PATH)).isEqualTo(of("orders"));

    madeFor = successor.getMetadata().getUid();
    assertThat(choice(false, "v2_1", PATH)).isEqualTo("its own");
  }

  @Test
  void oneOfAnotherMajorVersionIsNotAskedAlthoughItHasTheName() {
    runs(namespace, "orders", FlinkVersion.V1_20, true);
    runs(namespace, "other", FlinkVersion.V2_2, true);
    madeFor = "of-the-one-before";

    assertThat(choice(false, "v2_1", PATH))
        .contains("another one has its name", "not ready or not of Flink 2");
    assertThat(choice(true, "v2_1", PATH)).isEqualTo(of("other"));
  }

  /** A directory that people name, such as file:/backup, may be another one elsewhere. */
  @ParameterizedTest
  @CsvSource({
    "v2_1,file:/backup,Flink did not generate the name",
    "'',s3://bucket/savepoint-ab12cd-0123456789ab,does not say which Flink took it",
    "v9_9,s3://bucket/savepoint-ab12cd-0123456789ab,does not say which Flink took it"
  })
  void nobodyElseIsAskedOnAGuess(String version, String path, String why) {
    runs(namespace, "other", FlinkVersion.V2_2, true);

    assertThat(choice(true, version, path)).contains("no other cluster is asked", why);
  }
}
