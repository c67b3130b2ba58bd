package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.kubernetes.AllResources;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.sessionjob.FlinkSessionJobStore;
import dev.sluice.activities.sessionjob.SessionJobs;
import dev.sluice.activities.support.Deployed;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.common.SnapshotReference;
import dev.sluice.api.common.StableAfter;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.FlinkSessionJobStatus;
import dev.sluice.api.sessionjob.FrozenSessionJob;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotSpec;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.JobReference;
import dev.sluice.api.snapshot.SavepointSpec;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.snapshot.Disposal;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
import org.junit.jupiter.params.provider.ValueSource;

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
  private final List<FlinkStateSnapshot> created = new ArrayList<>();

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
    server.awaitRights(WORKER);
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
    created.forEach(
        it -> {
          FlinkStateSnapshot unused =
              admin
                  .resource(it)
                  .edit(
                      kept -> {
                        kept.getMetadata().setFinalizers(List.of());
                        return kept;
                      });
        });
    worker.close();
  }

  private static KubernetesClient as(ApiServer server, String user) {
    return new KubernetesClientBuilder()
        .withConfig(new ConfigBuilder(server.config()).withImpersonateUsername(user).build())
        .build();
  }

  private Optional<Disposal> insteadOf(KubernetesClient lists) {
    return insteadOf(lists, snapshot);
  }

  private Optional<Disposal> insteadOf(KubernetesClient lists, FlinkStateSnapshot deleted) {
    FlinkDeploymentStore deployments = new FlinkDeploymentStore(lists);
    ResourceStores stores =
        new ResourceStores(
            List.of(
                deployments,
                new FlinkSessionJobStore(lists, deployments, StableAfter.NONE, Set.of())));
    JobOwner owner =
        new JobOwners(new ResourceStores(List.of(new FlinkDeploymentStore(worker))))
            .of(
                new ResourceRef(
                    "kubernetes",
                    FlinkStateSnapshot.KIND,
                    namespace,
                    deleted.getMetadata().getName(),
                    deleted.getMetadata().getUid()),
                snapshot)
            .orElseThrow();
    return new KeptSavepoints(
            stores, new AllResources<>(lists, FlinkStateSnapshot.class, Set.of()), Runnable::run)
        .insteadOf(deleted, owner, path)
        .join();
  }

  private Optional<String> why(KubernetesClient lists) {
    return insteadOf(lists).map(it -> ((Disposal.Impossible) it).why());
  }

  private FlinkStateSnapshot another(String in, String name, SavepointSpec savepoint) {
    FlinkStateSnapshot other = new FlinkStateSnapshot();
    other.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(in)
            .withName(name)
            .withFinalizers(FlinkStateSnapshot.FINALIZER)
            .build());
    other.setSpec(
        new FlinkStateSnapshotSpec(
            new JobReference(JobKind.FLINK_DEPLOYMENT, "orders"), savepoint, null, null));
    created.add(other);
    return admin.resource(other).create();
  }

  /** Taken, and then deleted: it stays for its finalizer. */
  private FlinkStateSnapshot deleted(String in, String name) {
    FlinkStateSnapshot taken = another(in, name, new SavepointSpec(null, null, null, null));
    taken.setStatus(
        FlinkStateSnapshotStatus.EMPTY.withState(SnapshotState.COMPLETED).withPath(path));
    admin.resource(taken).updateStatus();
    admin.resource(taken).delete();
    return admin.resource(taken).get();
  }

  private void sessionJob(JobSpec job, FlinkSessionJobStatus status) {
    FlinkSessionJob resource = SessionJobs.totals();
    resource.getMetadata().setNamespace(elsewhere);
    resource.getMetadata().setUid(null);
    resource.setSpec(resource.getSpec().withJob(job));
    FlinkSessionJob created = admin.resource(resource).create();
    created.setStatus(status);
    FlinkSessionJob unused = admin.resource(created).updateStatus();
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
    return Stream.of("newest", "by its name", "frozen", "stable", "unreadable", "recorded")
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
      case "unreadable" ->
          another(
              job,
              none.withReconciliationStatus(
                  ReconciliationStatus.EMPTY.withLastStableSpec(
                      "{\"spec\": {\"job\": \"" + path + "\"}, \"resource_metadata\": {")));
      default ->
          another(
              job,
              none.withRecordedState(
                  new RecordedState(RecordedState.Type.SAVEPOINT, path, null, null, null)));
    }

    assertThat(why(worker))
        .contains("FlinkDeployment " + elsewhere + "/orders may still be started from it");
  }

  /** For as long as a rescale takes, say: a JobManager that restarts reads it again. */
  @Test
  void oneThatTheRunningJobWasStartedFromIsLeftWhileAnOperationHasRecordedNoOther() {
    FlinkDeployment own =
        admin.resources(FlinkDeployment.class).inNamespace(namespace).withName("orders").get();
    String frozen = new FrozenSpec(Deployed.SPEC, 2, false).toJson();
    own.setStatus(
        FlinkDeploymentStatus.EMPTY
            .withReconciliationStatus(
                new ReconciliationStatus(1L, frozen, frozen, ReconciliationState.UPGRADING))
            .withRecordedState(
                new RecordedState(
                        RecordedState.Type.SAVEPOINT, path, null, null, Deployed.ref(own).uid())
                    .withOfRunningJob(true)));
    admin.resource(own).updateStatus();

    assertThat(why(worker))
        .contains("FlinkDeployment " + namespace + "/orders may still be started from it");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("references")
  void oneThatASessionJobOfAnotherNamespaceMayBeStartedFromIsLeft(String which, JobSpec job) {
    JobSpec from = job.withInitialSavepointPath(path);
    String frozen = new FrozenSessionJob(SessionJobs.SPEC.withJob(from), 1, false).toJson();
    FlinkSessionJobStatus none = FlinkSessionJobStatus.EMPTY;
    ReconciliationStatus reconciled = ReconciliationStatus.EMPTY;
    switch (which) {
      case "newest" -> sessionJob(from, none);
      case "by its name" ->
          sessionJob(
              job.withFlinkStateSnapshotReference(new SnapshotReference(namespace, "before", null)),
              none);
      case "frozen" ->
          sessionJob(job, none.withReconciliationStatus(reconciled.withLastReconciledSpec(frozen)));
      case "stable" ->
          sessionJob(job, none.withReconciliationStatus(reconciled.withLastStableSpec(frozen)));
      case "unreadable" ->
          sessionJob(
              job,
              none.withReconciliationStatus(
                  reconciled.withLastStableSpec("{\"spec\": {\"job\": \"" + path + "\"")));
      default ->
          sessionJob(
              job,
              none.withRecordedState(
                  new RecordedState(RecordedState.Type.SAVEPOINT, path, null, null, null)));
    }

    assertThat(why(worker))
        .contains("FlinkSessionJob " + elsewhere + "/totals may still be started from it");
  }

  /** One that is just created has no status yet. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void oneThatAnotherSnapshotOfAnyNamespaceIsOfIsLeft(boolean here) {
    String in = here ? namespace : elsewhere;
    another(in, "same", new SavepointSpec(path + "/_metadata", null, false, true));

    assertThat(why(worker))
        .contains("another FlinkStateSnapshot, " + in + "/same, has the same path");
  }

  @Test
  void anotherSnapshotThatIsDeletedButKeepsItsFilesKeepsThem() {
    another(elsewhere, "kept", new SavepointSpec(path, null, false, true));
    admin.resource(created.get(0)).delete();

    assertThat(why(worker).orElseThrow()).contains("has the same path");
  }

  @Test
  void ofTwoThatAreDeletedTogetherExactlyOneDeletesTheFiles() {
    FlinkStateSnapshot one = deleted(namespace, "one");
    FlinkStateSnapshot other = deleted(elsewhere, "other");

    Optional<Disposal> ofOne = insteadOf(worker, one);
    Optional<Disposal> ofOther = insteadOf(worker, other);

    assertThat(Stream.of(ofOne, ofOther).filter(Optional::isEmpty)).hasSize(1);
    assertThat(ofOne.or(() -> ofOther).orElseThrow())
        .isInstanceOfSatisfying(
            Disposal.LeftTo.class,
            it -> assertThat(it.whom()).contains("its events say what becomes of the files"));
  }

  /** A suspended job, say: the reference is looked up when it is started. */
  @Test
  void oneWhosePathAJobMayBeStartedFromByTheNameOfAnotherSnapshotIsLeft() {
    FlinkStateSnapshot one = deleted(namespace, "one");
    FlinkStateSnapshot other = deleted(elsewhere, "other");
    another(
        Deployed.SPEC
            .job()
            .withFlinkStateSnapshotReference(new SnapshotReference(elsewhere, "other", null)),
        FlinkDeploymentStatus.EMPTY);

    assertThat(List.of(insteadOf(worker, one), insteadOf(worker, other)))
        .allSatisfy(
            it ->
                assertThat(it)
                    .contains(
                        new Disposal.Impossible(
                            "FlinkDeployment "
                                + elsewhere
                                + "/orders may still be started from it")));
  }

  @Test
  void whereTheyMayNotBeListedItIsLeft(ApiServer server) {
    try (KubernetesClient nobody = as(server, "nobody")) {
      assertThat(why(nobody).orElseThrow())
          .startsWith(
              "it is not known whether somebody still needs it: cannot list the FlinkDeployments: ")
          .contains("forbidden");
    }
  }
}
