package dev.sluice.activities.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.activities.sessionjob.SessionJobs;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.FakeReader;
import dev.sluice.activities.support.FakeView;
import dev.sluice.activities.support.Pods;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.JobActivities.FindCheckpointRequest;
import dev.sluice.workflows.activity.JobActivities.TakenState;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The newest checkpoint of a job whose session cluster is there, and does not know it any more. */
class LostOnSessionTest {

  private static final String ASKED = "containerd://1";
  private static final Endpoint ENDPOINT = Endpoint.of(Refs.CLUSTER);

  @TempDir Path root;
  private Path newest;
  private CheckpointSearch search;
  private final TestClock clock = new TestClock();
  private final FakeFlink flink = new FakeFlink();
  private final FakeReader cluster = new FakeReader();
  private FlinkSessionJob job = SessionJobs.totals();

  @BeforeEach
  void aCheckpointOnASessionCluster() throws IOException {
    newest = Files.createDirectories(root.resolve(Refs.JOB_ID).resolve("chk-3"));
    Files.writeString(newest.resolve("_metadata"), "");
    SessionJobs.submitted(job, Refs.JOB_ID, ASKED, null);
    cluster.deployment =
        new DeploymentBuilder()
            .withNewMetadata()
            .withName(Refs.CLUSTER.clusterId())
            .addNewOwnerReference()
            .withKind("FlinkDeployment")
            .withName("orders")
            .withUid(SessionJobs.CLUSTER_UID)
            .endOwnerReference()
            .endMetadata()
            .build();
  }

  private ProbeResult<TakenState> look() {
    if (search == null) {
      search = search();
    }
    return search.look();
  }

  private CheckpointSearch search() {
    FlinkConfiguration configuration =
        FlinkConfiguration.of(Map.of("state.checkpoints.dir", root.toString()));
    JobTarget target =
        new JobTarget(
            new RunningCluster(Refs.CLUSTER, ENDPOINT, configuration, Refs.JOB_ID, 1L, true),
            Refs.JOB_ID,
            FlinkConfiguration.empty());
    ClusterAccess access = new ClusterAccess(cluster, new FakeView(), Runnable::run, clock);
    return new CheckpointSearch(
        new FindCheckpointRequest(
            Refs.RESOURCE, new JobRef(Refs.CLUSTER, Refs.JOB_ID), "file:/savepoint-1", 0),
        target,
        access,
        new LocalCheckpointDirectory(),
        new Savepoints(new LocalSavepointDirectory(), Runnable::run, null),
        new LostOnSession(
            Refs.RESOURCE,
            target,
            access,
            flink,
            () -> SessionJobs.stored(job, SessionJobs.cluster(Map.of()))));
  }

  @Test
  void theCheckpointIsAdoptedOnceAnotherProcessAnswers() {
    cluster.pods.add(Pods.jobManager("containerd://2"));

    assertThat(look())
        .isInstanceOfSatisfying(
            ProbeResult.Done.class,
            done ->
                assertThat(((TakenState) done.result()).state())
                    .isEqualTo(new StateRef.Checkpoint("file:" + newest)));
  }

  @Test
  void aPodOfTheProcessThatTerminatesIsWaitedFor() {
    Pod terminating = Pods.jobManager(ASKED);
    terminating.getMetadata().setDeletionTimestamp("2026-11-23T01:00:00Z");
    cluster.pods.add(terminating);
    cluster.pods.add(Pods.jobManager("containerd://2"));

    assertThat(look()).isInstanceOf(ProbeResult.NotYet.class);
    clock.advance(Duration.ofMinutes(1));
    assertThat(look()).isInstanceOf(ProbeResult.NotYet.class);
  }

  @Test
  void nothingIsAdoptedWhileTheProcessThatWasAskedRunsOn() {
    cluster.pods.add(Pods.jobManager(ASKED));

    assertThat(look()).isInstanceOf(ProbeResult.NotYet.class);
    clock.advance(Duration.ofMinutes(1));

    fails(look(), FailureType.STATE_NOT_FOUND, "runs on and does not list it");
  }

  @Test
  void aJobThatFlinkKnowsIsAskedInstead() {
    cluster.pods.add(Pods.jobManager("containerd://2"));
    flink.running();

    fails(look(), FailureType.OUTDATED, "knows job");
  }

  @Test
  void aProcessThatWasNotNotedProvesNothing() {
    SessionJobs.submitted(job, Refs.JOB_ID, null, null);
    cluster.pods.add(Pods.jobManager("containerd://2"));

    fails(look(), FailureType.STATE_NOT_FOUND, "not known which JobManager");
  }

  private static void fails(ProbeResult<TakenState> outcome, String type, String words) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            ProbeResult.Failed.class,
            failed -> {
              assertThat(failed.type()).isEqualTo(type);
              assertThat(failed.message()).contains(words);
            });
  }
}
