package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.support.Deployed;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.common.SnapshotReference;
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
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** FLINK-38033, on a real API server with the rights of the committed manifest. */
@ExtendWith(ApiServer.Extension.class)
class KeptSavepointsIT {

  private static final Path RIGHTS = Path.of("../deploy/operator/21-worker-rights.yaml");
  private static final String WORKER = "system:serviceaccount:sluice-system:sluice-worker";

  private KubernetesClient admin;
  private KubernetesClient worker;
  private String namespace;
  private String elsewhere;
  private String path;
  private FlinkStateSnapshot snapshot;

  @BeforeEach
  void create(ApiServer server) throws IOException {
    admin = server.client();
    namespace = server.namespace();
    elsewhere = "elsewhere-" + UUID.randomUUID();
    path = "s3://bucket/savepoint-" + UUID.randomUUID();
    Stream.of("sluice-system", elsewhere)
        .forEach(
            it ->
                admin
                    .resource(
                        new NamespaceBuilder().withNewMetadata().withName(it).endMetadata().build())
                    .serverSideApply());
    try (InputStream manifest = Files.newInputStream(RIGHTS)) {
      admin.load(manifest).serverSideApply();
    }
    worker = as(server, WORKER);
    admin.resource(Deployed.orders(namespace)).create();
    snapshot = new FlinkStateSnapshot();
    snapshot.setMetadata(
        new ObjectMetaBuilder().withNamespace(namespace).withName("before").build());
    snapshot.setSpec(
        new FlinkStateSnapshotSpec(
            new JobReference(JobKind.FLINK_DEPLOYMENT, "orders"),
            new SavepointSpec(null, null, null, null),
            null,
            null));
    snapshot = admin.resource(snapshot).create();
  }

  @AfterEach
  void close() {
    worker.close();
  }

  private static KubernetesClient as(ApiServer server, String user) {
    return new KubernetesClientBuilder()
        .withConfig(new ConfigBuilder(server.config()).withImpersonateUsername(user).build())
        .build();
  }

  private Optional<String> why(KubernetesClient lists, String... namespaces) {
    ResourceStores stores =
        new ResourceStores(
            List.of(
                new FlinkDeploymentStore(
                    lists, () -> DefaultConfiguration.NONE, StableAfter.NONE, Set.of(namespaces))));
    ResourceRef ref =
        new ResourceRef(
            "kubernetes",
            FlinkStateSnapshot.KIND,
            namespace,
            "before",
            snapshot.getMetadata().getUid());
    Optional<JobOwner> owner =
        new JobOwners(new ResourceStores(List.of(new FlinkDeploymentStore(worker))))
            .of(ref, snapshot);
    return new KeptSavepoints(new SnapshotStore(worker), stores).why(ref, snapshot, owner, path);
  }

  private void another(JobSpec job, FlinkDeploymentStatus status) {
    FlinkDeployment resource = Deployed.orders(elsewhere);
    resource.setSpec(Deployed.SPEC.withJob(job));
    FlinkDeployment created = admin.resource(resource).create();
    created.setStatus(status);
    admin.resource(created).updateStatus();
  }

  @Test
  void oneThatNoJobIsStartedFromIsDeleted() {
    another(
        Deployed.SPEC.job().withInitialSavepointPath("s3://other"), FlinkDeploymentStatus.EMPTY);

    assertThat(why(worker)).isEmpty();
  }

  static Stream<Arguments> references() {
    JobSpec job = Deployed.SPEC.job();
    return Stream.of("newest", "by its name", "frozen", "stable", "recorded")
        .map(which -> Arguments.of(which, job));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("references")
  void oneThatAJobOfAnotherNamespaceMayBeStartedFromIsLeft(String which, JobSpec job) {
    String frozen =
        new FrozenSpec(Deployed.SPEC.withJob(job.withInitialSavepointPath(path)), 1, false)
            .toJson();
    FlinkDeploymentStatus none = FlinkDeploymentStatus.EMPTY;
    switch (which) {
      case "newest" -> another(job.withInitialSavepointPath(path), none);
      case "by its name" ->
          another(
              job.withFlinkStateSnapshotReference(new SnapshotReference(namespace, "before", null)),
              none);
      case "frozen" ->
          another(
              job,
              none.withReconciliationStatus(
                  ReconciliationStatus.EMPTY.withLastReconciledSpec(frozen)));
      case "stable" ->
          another(
              job,
              none.withReconciliationStatus(ReconciliationStatus.EMPTY.withLastStableSpec(frozen)));
      default ->
          another(
              job,
              none.withRecordedState(
                  new RecordedState(RecordedState.Type.SAVEPOINT, path, null, null, null)));
    }

    assertThat(why(worker))
        .contains("FlinkDeployment " + elsewhere + "/orders may still be started from it");
  }

  @Test
  void whereTheyMayNotBeListedItIsLeft(ApiServer server) {
    try (KubernetesClient nobody = as(server, "nobody")) {
      assertThat(why(nobody).orElseThrow())
          .startsWith(
              "it is not known whether a job may still be started from it: cannot list the"
                  + " FlinkDeployments: ")
          .contains("forbidden");
    }
  }
}
