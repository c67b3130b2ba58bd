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
class StatelessUpgradeIT {

  @Test
  void theNewJobStartsEmpty(Scene scene) {
    // given
    Job job = scene.deployed("stateless");
    Manifest first = job.applied().upgradeMode("stateless");
    job.deploy(first);
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), job)) {

      // when
      Resource upgraded = job.deploy(first.config("e2e.stateless", "2"));

      // then
      assertThat(upgraded.operation()).isEqualTo("Upgrade Succeeded MarkStable");
      assertThat(job.flink().configuration("e2e.stateless")).isEqualTo("2");
      assertThat(job.counts().restored()).isZero();
      assertThat(job.flink().restored()).isEmpty();
      upgrade.verifySavepoints(0);
      upgrade.verifyOneCluster(2);
    }
  }
}
