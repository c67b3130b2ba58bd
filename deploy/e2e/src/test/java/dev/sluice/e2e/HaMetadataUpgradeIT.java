package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.ExactUpgrade;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.Resource;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** The JobManager answers nobody any more, as on a node that is cut off. */
@Order(Integer.MAX_VALUE - 6)
@OnTestCluster
class HaMetadataUpgradeIT {

  @Test
  void aSilentJobGoesOnFromItsHighAvailabilityMetadata(Scene scene) {
    // given
    Job job = scene.runningJob("silent");
    Manifest first = job.applied().upgradeMode("last-state");
    Resource running = job.deploy(first);
    job.await("a checkpoint of its own", it -> job.flink().completedCheckpoints() > 0);
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
}
