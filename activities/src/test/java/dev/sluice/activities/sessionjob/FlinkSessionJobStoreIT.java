package dev.sluice.activities.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.activities.support.Created;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.SnapshotReference;
import dev.sluice.api.common.StableAfter;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotSpec;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.JobReference;
import dev.sluice.api.snapshot.SavepointSpec;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** FlinkSessionJobs of a real API server. */
@ExtendWith(ApiServer.Extension.class)
class FlinkSessionJobStoreIT {

  private static final Map<String, String> DIRECTORIES =
      Map.of("execution.checkpointing.savepoint-dir", "s3://bucket/savepoints");

  private KubernetesClient client;
  private String namespace;
  private FlinkSessionJobStore store;

  @BeforeEach
  void create(ApiServer server) {
    client = server.client();
    namespace = server.namespace();
    store = new FlinkSessionJobStore(client, new FlinkDeploymentStore(client), StableAfter.NONE);
  }

  private ResourceRef create(FlinkSessionJob job) {
    return Refs.of(Created.in(client, namespace, job));
  }

  private void cluster(Map<String, String> configuration) {
    FlinkDeployment unused = Created.in(client, namespace, SessionJobs.cluster(configuration));
  }

  @Test
  void aJobIsReadWithTheClusterThatItNames() {
    cluster(Map.of("rest.port", "8099"));
    ResourceRef ref = create(SessionJobs.totals());

    StoredResource read = store.read(ref);

    assertThat(read.problem()).isNull();
    assertThat(read.cluster()).isEqualTo(new ClusterRef(namespace, "orders"));
    assertThat(read.newest().configuration().get("rest.port")).contains("8099");
  }

  @Test
  void theRunningClusterIsThatOfTheJobThatFlinkWasAskedToRun() {
    cluster(Map.of("rest.port", "8099"));
    FlinkSessionJob job = SessionJobs.totals();
    job.setSpec(
        job.getSpec()
            .withFlinkConfiguration(FlinkConfiguration.of(Map.of("a.b", "of the job")).toJson()));
    SessionJobs.frozen(job, ReconciliationState.DEPLOYED);
    ResourceRef ref = create(SessionJobs.submitted(job, Refs.JOB_ID, null, null));

    RunningCluster running = store.running(ref);

    assertThat(running.jobId()).isEqualTo(Refs.JOB_ID);
    assertThat(running.generation()).isEqualTo(1);
    assertThat(running.session()).isTrue();
    assertThat(running.endpoint().port()).isEqualTo(8099);
    assertThat(running.configuration().get("a.b")).contains("of the job");
  }

  @Test
  void aJobThatWasEndedRunsNowhere() {
    cluster(Map.of());
    FlinkSessionJob job = SessionJobs.frozen(SessionJobs.totals(), ReconciliationState.DEPLOYED);

    ResourceRef ref = create(SessionJobs.submitted(job, Refs.JOB_ID, null, true));

    assertThat(store.running(ref).jobId()).isNull();
  }

  @Test
  void aJobStartsFromTheFlinkStateSnapshotThatItNames() {
    cluster(DIRECTORIES);
    ResourceRef ref = create(startedFrom("before"));
    assertThat(store.read(ref).problem())
        .contains("FlinkStateSnapshot " + namespace + "/before does not exist");

    snapshot("before", "s3://bucket/savepoint-1");

    assertThat(store.read(ref).problem()).isNull();
    assertThat(store.read(ref).newest().target().initialSavepointPath())
        .isEqualTo("s3://bucket/savepoint-1");
  }

  private FlinkSessionJob startedFrom(String snapshot) {
    FlinkSessionJob job = SessionJobs.totals();
    job.setSpec(
        job.getSpec()
            .withJob(
                Objects.requireNonNull(job.getSpec().job())
                    .withFlinkStateSnapshotReference(new SnapshotReference(null, snapshot, null))));
    return job;
  }

  private void snapshot(String name, String path) {
    FlinkStateSnapshot snapshot = new FlinkStateSnapshot();
    snapshot.setMetadata(new ObjectMetaBuilder().withName(name).build());
    snapshot.setSpec(
        new FlinkStateSnapshotSpec(
            new JobReference(JobKind.FLINK_SESSION_JOB, "other"),
            new SavepointSpec(null, null, null, null),
            null,
            null));
    snapshot.setStatus(
        FlinkStateSnapshotStatus.EMPTY.withState(SnapshotState.COMPLETED).withPath(path));
    FlinkStateSnapshot unused = Created.in(client, namespace, snapshot);
  }

  @Test
  void anotherInstanceOfTheNameIsNotTheResource() {
    ResourceRef ref = create(SessionJobs.totals());

    assertThatThrownBy(
            () ->
                store.read(
                    new ResourceRef(
                        ref.kubernetes(), ref.kind(), ref.namespace(), ref.name(), "another")))
        .isInstanceOf(ApplicationFailure.class)
        .hasMessageContaining("does not exist any more");
  }
}
