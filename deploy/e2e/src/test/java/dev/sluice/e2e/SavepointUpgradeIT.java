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

@Order(4)
@OnTestCluster
class SavepointUpgradeIT {

  @Test
  void eachChangeGoesOnWithTheCounts(Scene scene) {
    Job job = scene.job("counter");
    Manifest first = job.manifest().image("flink:2.2");
    job.deploy(first);

    Manifest image = first.image("flink:2.2.1");
    upgradesExactly(scene, job, image);

    Manifest parallelism = image.parallelism(2);
    upgradesExactly(scene, job, parallelism);

    Manifest config = parallelism.config("execution.checkpointing.interval", "7s");
    upgradesExactly(scene, job, config);
    assertThat(job.flink().configuration("execution.checkpointing.interval")).isEqualTo("7s");
  }

  @Test
  void theStateGoesFromFlink1ToFlink2(Scene scene) {
    Job job = scene.job("older");
    Manifest old = job.manifest("counter-flink-1.20.yaml");
    job.deploy(old);

    upgradesExactly(scene, job, old.image("flink:2.2").version("v2_2"));

    job.await("seen as Flink 2.2", it -> it.status("/clusterInfo/flink-version").startsWith("2.2"));
  }

  private static void upgradesExactly(Scene scene, Job job, Manifest changed) {
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), job)) {
      Resource upgraded = job.deploy(changed);

      upgrade.verifyExact(upgraded);
      upgrade.verifyRestored(upgraded);
      assertThat(upgraded.operation()).isEqualTo("Upgrade Succeeded MarkStable");
    }
  }
}
