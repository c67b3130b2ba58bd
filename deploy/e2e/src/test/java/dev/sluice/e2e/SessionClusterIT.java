package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Lane;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.Resource;
import dev.sluice.local.demo.Counts;
import dev.sluice.local.flink.FlinkImages;
import dev.sluice.local.node.container.FlinkImage;
import dev.sluice.local.node.container.ImagePullException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A session cluster, and a job on it that no operator manages. */
@Tag("e2e")
@OnTestCluster
class SessionClusterIT {

  private static final String RATE = "e2e.session";

  @Test
  void noUpgradeAndNoDeletionLosesAJobThatRunsOnTheCluster(Scene scene) throws Exception {
    // given
    Job session = scene.job("queries");
    Manifest first = session.manifest("session.yaml");
    Resource deployed = session.deploy(first);
    Lane lane = session.lane();
    lane.awaitCompleted();

    // then
    assertThat(deployed.operation()).isEqualTo("Deploy Succeeded MarkStable");
    assertThat(deployed.status("/lifecycleState")).isEqualTo("STABLE");
    assertThat(deployed.status("/jobManagerDeploymentStatus")).isEqualTo("READY");
    assertThat(deployed.condition("Running")).isEqualTo("True Running");
    assertThat(deployed.status("/jobStatus")).isEmpty();

    // when a job runs on it, and the cluster is upgraded
    String job = session.flink().runJar(sampleJar("flink:2.2"), "--rate", "25", "--keys", "10");
    await("a checkpoint")
        .ignoreExceptions()
        .until(() -> session.flink().completedCheckpoints() > 0);
    Counts before = session.counts();
    Resource upgraded = session.deploy(first.config(RATE, "2"));

    // then it goes on under its own id
    assertThat(upgraded.operation()).isEqualTo("Upgrade Succeeded MarkStable");
    assertThat(upgraded.json().at("/status/jobStatus").isMissingNode()).isTrue();
    assertThat(session.flink().configuration(RATE)).isEqualTo("2");
    awaitRunning(session, job);
    Counts after = session.counts();
    assertThat(after.restored()).isPositive();
    assertThat(after.total()).isGreaterThanOrEqualTo(before.restored());
    assertThat(after.exact()).isTrue();

    // when the next spec cannot carry it; one that comes before that run has ended is still its own
    lane.awaitCompleted();
    session.apply(first.config(RATE, "3").config("high-availability.type", "NONE"));
    Resource held = session.await("held", Resource::isStalled);

    // then nothing is touched
    assertThat(held.condition("Stalled")).isEqualTo("True OtherJobs");
    assertThat(held.message("Stalled")).contains(job).contains("sluice.dev/restore-from");
    awaitRunning(session, job);
    session.deploy(first.config(RATE, "2"));

    // when it is deleted
    scene
        .cluster()
        .kubectl()
        .run("delete", "-n", session.namespace(), "flinkdep", session.name(), "--wait=false");
    Resource waiting =
        session.await("held", it -> it.operation().equals("Delete Blocked AwaitNoJobs"));

    // then the job holds that
    assertThat(waiting.status("/operation/message"))
        .contains(job)
        .contains("kubernetes.operator.session.deletion.block-on-unmanaged-jobs");
    session.await("told", it -> it.condition("Stalled").equals("True OtherJobs"));
    awaitRunning(session, job);

    // and when it has ended, everything goes
    session.flink().cancelJob();
    session.awaitGone();
    await().untilAsserted(() -> assertThat(session.flink().objects()).isEmpty());
    await()
        .untilAsserted(
            () ->
                assertThat(lane.types()).containsExactly("Deploy", "Upgrade", "Upgrade", "Delete"));
  }

  private static void awaitRunning(Job session, String job) {
    await("the job runs")
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(session.flink().jobs()).containsExactly(job + " RUNNING"));
  }

  private static Path sampleJar(String image) throws ImagePullException {
    return ((FlinkImage) new FlinkImages().pull(image).orElseThrow()).usrlib().get(0);
  }
}
