package dev.sluice.activities.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.FakeView;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.ClusterActivities.DeleteClusterRequest;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The cluster of a job that Flink was asked to end. A JobManager that gets a SIGTERM while it
 * removes the metadata of that job hangs for 5 s, and leaves it.
 */
@ExtendWith(ApiServer.Extension.class)
class EndedJobDeletionIT {

  private final TestClock clock = new TestClock();
  private KubernetesClient client;
  private String namespace;
  private ResourceRef ref;
  private Deployment cluster;

  @BeforeEach
  void deploy(ApiServer server) {
    client = server.client();
    namespace = server.namespace();
    ref = Deployed.ref(client.resource(Deployed.orders(namespace)).create());
    cluster = client.resource(Clusters.deployment(namespace, ref.uid())).create();
  }

  @Test
  void aJobManagerThatRemovesTheMetadataOfItsJobIsNotStopped() {
    metadataOf(Refs.JOB_ID);

    ClusterDeletion deletion = begun(Refs.JOB_ID);

    assertThat(deletion.look())
        .isEqualTo(
            ProbeResult.notYet(
                "Flink is removing the high-availability metadata of job " + Refs.JOB_ID));
    assertThat(isBeingDeleted()).isFalse();
  }

  @Test
  void itIsStoppedOnceThatIsRemoved() {
    ConfigMap metadata = metadataOf(Refs.JOB_ID);
    ClusterDeletion deletion = begun(Refs.JOB_ID);
    client.resource(metadata).delete();

    deletion.look();

    assertThat(isBeingDeleted()).isTrue();
  }

  @Test
  void itIsStoppedAfterThreeSecondsInAnyCase() {
    metadataOf(Refs.JOB_ID);
    ClusterDeletion deletion = begun(Refs.JOB_ID);
    clock.advance(Duration.ofSeconds(3));

    deletion.look();

    assertThat(isBeingDeleted()).isTrue();
  }

  @Test
  void theMetadataOfAnotherJobIsNotWaitedFor() {
    metadataOf(Refs.OTHER_JOB_ID);

    begun(Refs.JOB_ID);

    assertThat(isBeingDeleted()).isTrue();
  }

  @Test
  void aJobThatFlinkWasNotAskedToEndIsNotWaitedFor() {
    metadataOf(Refs.JOB_ID);

    begun(null);

    assertThat(isBeingDeleted()).isTrue();
  }

  private ConfigMap metadataOf(String job) {
    return client
        .resource(Clusters.configMap(namespace, "orders-" + job + "-config-map", null))
        .create();
  }

  private boolean isBeingDeleted() {
    return client.resource(cluster).get().getMetadata().getDeletionTimestamp() != null;
  }

  private ClusterDeletion begun(@Nullable String endedJob) {
    ClusterDeletion deletion =
        new ClusterDeletion(
            new DeleteClusterRequest(
                ref,
                Refs.cluster(ref),
                Set.of(),
                null,
                null,
                null,
                true,
                endedJob,
                clock.in(Duration.ofMinutes(2))),
            new FlinkDeploymentStore(client),
            client,
            new ClusterAccess(new ClusterReader(client), new FakeView(), clock));
    deletion.begin();
    return deletion;
  }
}
