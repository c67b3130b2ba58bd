package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.ExactUpgrade;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.Resource;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Jobs of which only the high-availability metadata is left. */
@Tag("e2e")
@OnTestCluster
class HaMetadataUpgradeIT {

  private static final String CANCELS =
      "kubernetes.operator.job.upgrade.last-state.job-cancel.enabled";

  /** The JobManager answers nobody any more, as on a node that is cut off. */
  @Test
  void aSilentJobGoesOnFromItsHighAvailabilityMetadata(Scene scene) {
    // given
    Job job = scene.job("silent");
    Manifest first = job.manifest().quickFailover().upgradeMode("last-state");
    Resource running = job.deploy(first);
    job.await("a checkpoint of its own", it -> job.flink().hasNewestCheckpoint());
    String jobId = running.status("/jobStatus/jobId");
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), job)) {
      job.flink().suspendJobManager();

      // when
      Resource upgraded = job.deploy(first.config("e2e.ha-metadata", "2"));

      // then
      assertThat(upgraded.operation()).isEqualTo("Upgrade Succeeded MarkStable");
      assertThat(upgraded.status("/recordedState/type")).isEqualTo("HaMetadata");
      assertThat(upgraded.status("/jobStatus/jobId")).as("the same job").isEqualTo(jobId);
      assertThat(job.flink().configuration("e2e.ha-metadata"))
          .as("the new job graph, not the one in the metadata")
          .isEqualTo("2");
      assertThat(job.flink().restored()).contains("/" + jobId + "/chk-");
      assertThat(upgrade.goesOn().exact()).as("no element lost or doubled").isTrue();
      upgrade.verifySavepoints(0);
      upgrade.verifyOneCluster(2);
    }
  }

  @Test
  void aJobThatIsSuspendedToItsMetadataIsResumedUnderItsIdAndNeverEmpty(Scene scene) {
    // given
    Job job = scene.job("leaving");
    Manifest running =
        job.manifest().quickFailover().upgradeMode("last-state").config(CANCELS, "false");
    job.deploy(running);
    job.await("a checkpoint of its own", it -> job.flink().hasNewestCheckpoint());
    String jobId = job.get().status("/jobStatus/jobId");
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), job)) {

      // when
      Resource suspended = job.deploy(running.jobState("suspended"));

      // then
      assertThat(suspended.operation()).isEqualTo("Suspend Succeeded MarkStable");
      assertThat(suspended.status("/recordedState/type")).isEqualTo("HaMetadata");
      assertThat(job.flink().pods()).isEmpty();

      // when
      Resource resumed = job.deploy(running.config("e2e.ha-metadata", "2"));

      // then
      assertThat(resumed.operation()).isEqualTo("Resume Succeeded MarkStable");
      assertThat(resumed.status("/jobStatus/jobId")).as("the same job").isEqualTo(jobId);
      assertThat(job.flink().configuration("e2e.ha-metadata")).isEqualTo("2");
      assertThat(job.flink().restored()).contains("/" + jobId + "/chk-");
      assertThat(upgrade.goesOn().exact()).as("no element lost or doubled").isTrue();
      upgrade.verifySavepoints(0);
      upgrade.verifyOneCluster(2);
    }
    failsWithoutItsMetadata(scene, job, jobId);
  }

  /** FLINK-35292: what Flink is given to restore besides exists nowhere. */
  private static void failsWithoutItsMetadata(Scene scene, Job job, String jobId) {
    // given
    scale(scene, job, 0);
    await().until(() -> job.flink().jobManager().isEmpty());
    scene
        .cluster()
        .kubectl()
        .run(
            "delete",
            "configmap",
            "-n",
            job.namespace(),
            job.name() + "-cluster-config-map",
            job.name() + "-" + jobId + "-config-map");

    // when
    scale(scene, job, 1);

    // then
    await()
        .until(
            () -> job.flink().jobManagerLogs().contains("high-availability-metadata-is-missing"));
    // a job that cannot be initialized ends its JobManager: it is FAILED for a moment, or not seen
    Resource failed =
        job.await(
            "failed, or gone with its JobManager",
            it -> Set.of("FAILED", "RECONCILING").contains(it.status("/jobStatus/state")));
    assertThat(failed.status("/jobStatus/jobId")).isEqualTo(jobId);
    assertThat(failed.condition("Ready")).startsWith("False ");
  }

  private static void scale(Scene scene, Job job, int jobManagers) {
    scene
        .cluster()
        .kubectl()
        .run("scale", "deployment", "-n", job.namespace(), job.name(), "--replicas=" + jobManagers);
  }
}
