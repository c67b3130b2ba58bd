package dev.sluice.activities.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.resource.StoredResource;
import dev.sluice.activities.support.Created;
import dev.sluice.activities.support.Deployed;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.SnapshotReference;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotSpec;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.JobReference;
import dev.sluice.api.snapshot.SavepointSpec;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs that start from a FlinkStateSnapshot, on a real API server. */
@ExtendWith(ApiServer.Extension.class)
class StartSnapshotIT {

  private static final String PATH = "s3://bucket/savepoint-1";

  private KubernetesClient client;
  private String namespace;

  @BeforeEach
  void connect(ApiServer server) {
    client = server.client();
    namespace = server.namespace();
  }

  private FlinkStateSnapshot snapshot(@Nullable SnapshotState state, @Nullable String path) {
    FlinkStateSnapshot snapshot = new FlinkStateSnapshot();
    snapshot.setMetadata(new ObjectMetaBuilder().withName("before").build());
    snapshot.setSpec(
        new FlinkStateSnapshotSpec(
            new JobReference(JobKind.FLINK_DEPLOYMENT, "other"),
            new SavepointSpec(null, null, null, null),
            null,
            null));
    snapshot.setStatus(FlinkStateSnapshotStatus.EMPTY.withState(state).withPath(path));
    return Created.in(client, namespace, snapshot);
  }

  private ResourceRef deployment(SnapshotReference reference) {
    FlinkDeployment resource = Deployed.orders(namespace);
    resource.setSpec(
        Deployed.SPEC.withJob(Deployed.SPEC.job().withFlinkStateSnapshotReference(reference)));
    return Deployed.ref(client.resource(resource).create());
  }

  private ResourceRef deployment() {
    return deployment(new SnapshotReference(null, "before", null));
  }

  private StoredResource read(ResourceRef ref) {
    return new FlinkDeploymentStore(client).read(ref);
  }

  private @Nullable String start(ResourceRef ref) {
    return read(ref).newest().target().initialSavepointPath();
  }

  /** As the freeze step writes it. */
  private void freeze(ResourceRef ref) {
    String json = read(ref).newest().json();
    status(ref, ReconciliationStatus.EMPTY.withLastReconciledSpec(json));
  }

  /** As it stands when its job is up. */
  private void markStable(ResourceRef ref) {
    String json = read(ref).newest().json();
    status(
        ref,
        ReconciliationStatus.EMPTY
            .withLastReconciledSpec(json)
            .withLastStableSpec(json)
            .withState(ReconciliationState.DEPLOYED));
  }

  private void status(ResourceRef ref, ReconciliationStatus status) {
    FlinkDeployment now = resource(ref);
    now.setStatus(FlinkDeploymentStatus.EMPTY.withReconciliationStatus(status));
    client.resource(now).updateStatus();
  }

  private FlinkDeployment resource(ResourceRef ref) {
    return client
        .resources(FlinkDeployment.class)
        .inNamespace(namespace)
        .withName(ref.name())
        .get();
  }

  private void change(ResourceRef ref, UnaryOperator<JobSpec> change) {
    client
        .resources(FlinkDeployment.class)
        .inNamespace(namespace)
        .withName(ref.name())
        .edit(
            it -> {
              it.setSpec(it.getSpec().withJob(change.apply(it.getSpec().job())));
              return it;
            });
  }

  @Test
  void aJobStartsFromACompletedSnapshot() {
    snapshot(SnapshotState.COMPLETED, PATH);
    ResourceRef ref = deployment();

    assertThat(start(ref)).isEqualTo(PATH);
    assertThat(read(ref).problem()).isNull();
  }

  @Test
  void aSnapshotThatDoesNotExistInTheNamespaceThatIsNamedIsAProblem() {
    snapshot(SnapshotState.COMPLETED, PATH);
    ResourceRef ref = deployment(new SnapshotReference("elsewhere", "before", null));

    assertThat(start(ref)).isNull();
    assertThat(read(ref).problem())
        .isEqualTo(
            "spec.job.flinkStateSnapshotReference: FlinkStateSnapshot elsewhere/before does not"
                + " exist. Create it, or name another one");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    ", s3://b/sp, is not COMPLETED yet. Annotate with sluice.dev/retry when it is",
    "IN_PROGRESS, s3://b/sp, is not COMPLETED yet. Annotate with sluice.dev/retry when it is",
    "FAILED, , is FAILED. Name another one",
    "COMPLETED, , has no path. Name another one",
  })
  void nothingStartsFromASnapshotThatWasNotTaken(SnapshotState state, String path, String problem) {
    snapshot(state, path);
    ResourceRef ref = deployment();

    assertThat(start(ref)).isNull();
    assertThat(read(ref).problem()).endsWith("/before " + problem);
  }

  @Test
  void whatMayNotBeReadIsAProblemOfTheSpecAndHoldsUpNothingElse(ApiServer server) {
    snapshot(SnapshotState.COMPLETED, PATH);
    ResourceRef ref = deployment();
    KubernetesClient worker =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(server.config()).withImpersonateUsername("nobody").build())
            .build();
    try (worker) {
      StartSnapshot.Start start =
          StartSnapshot.from(worker)
              .of(resource(ref).getSpec().job(), namespace, Stream.empty(), () -> true);

      assertThat(start.problem())
          .endsWith("/before may not be read by Sluice. Allow that, or give its path");
    }
  }

  /** FLINK-38033: what is cleaned up later must not take the start of a job with it. */
  @Test
  void theFrozenPathOutlivesTheSnapshot() {
    FlinkStateSnapshot snapshot = snapshot(SnapshotState.COMPLETED, PATH);
    ResourceRef ref = deployment();
    freeze(ref);
    client.resource(snapshot).delete();

    change(ref, job -> job.withParallelism(3));

    assertThat(start(ref)).isEqualTo(PATH);
    assertThat(read(ref).problem()).isNull();
    assertThat(read(ref).frozen().orElseThrow().target().initialSavepointPath()).isEqualTo(PATH);
  }

  @Test
  void nothingStartsFromASnapshotThatIsBeingDeleted() {
    FlinkStateSnapshot snapshot = snapshot(SnapshotState.COMPLETED, PATH);
    client
        .resource(snapshot)
        .edit(
            it -> {
              it.getMetadata().setFinalizers(List.of("example.com/held"));
              return it;
            });
    client.resource(snapshot).delete();

    assertThat(read(deployment()).problem()).endsWith("/before is being deleted. Name another one");
  }

  /** Its steps must not depend on an answer that never comes. */
  @Test
  void aNameThatNoSnapshotCanHaveIsNotAskedFor() {
    ResourceRef ref = deployment(new SnapshotReference(null, "before-{{date}}", null));

    assertThat(start(ref)).isNull();
    assertThat(read(ref).problem()).contains("must have a name and a namespace of lower-case");
  }

  @Test
  void aReferenceThatNoStartNeedsAnyMoreHoldsNothingUp() {
    FlinkStateSnapshot snapshot = snapshot(SnapshotState.COMPLETED, PATH);
    ResourceRef ref = deployment();
    change(ref, job -> job.withSavepointRedeployNonce(1L));
    markStable(ref);
    client.resource(snapshot).delete();

    change(ref, job -> job.withSavepointRedeployNonce(null));

    assertThat(read(ref).problem()).isNull();
  }

  @Test
  void aResourceThatIsBeingDeletedLooksForNone() {
    ResourceRef ref = deployment();
    FlinkDeployment resource = resource(ref);
    resource.getMetadata().setFinalizers(List.of("example.com/held"));
    client.resource(resource).update();
    client.resource(resource(ref)).delete();

    assertThat(read(ref).problem()).isNull();
  }

  @Test
  void anotherRedeploymentLooksAgain() {
    FlinkStateSnapshot snapshot = snapshot(SnapshotState.COMPLETED, PATH);
    ResourceRef ref = deployment();
    markStable(ref);
    client.resource(snapshot).delete();
    snapshot(SnapshotState.COMPLETED, "s3://bucket/savepoint-2");

    change(ref, job -> job.withSavepointRedeployNonce(1L));

    assertThat(start(ref)).isEqualTo("s3://bucket/savepoint-2");
  }
}
