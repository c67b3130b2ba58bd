package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.ExactUpgrade;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.Resource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("e2e")
@OnTestCluster
class LastStateUpgradeIT {

  @Test
  void theNewJobStartsFromTheNewestCheckpoint(Scene scene) {
    // given
    Job job = scene.deployed("last");
    Manifest first = job.applied().upgradeMode("last-state");
    job.deploy(first);
    job.await("a checkpoint of its own", it -> job.flink().hasNewestCheckpoint());
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), job)) {

      // when
      Resource upgraded = job.deploy(first.config("e2e.last-state", "2"));

      // then
      assertThat(upgraded.operation()).isEqualTo("Upgrade Succeeded MarkStable");
      assertThat(job.flink().configuration("e2e.last-state")).isEqualTo("2");
      assertThat(job.flink().restored()).contains("/chk-");
      assertThat(upgrade.goesOn().exact()).as("no element lost or doubled").isTrue();
      upgrade.verifySavepoints(0);
      upgrade.verifyOneCluster(2);
    }
  }
}
