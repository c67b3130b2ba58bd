package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.ExactUpgrade;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.Resource;
import dev.sluice.e2e.job.SnapshotOfJob;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** For a new configuration see {@link RequestsAtStepsIT}. */
@Tag("e2e")
@OnTestCluster
class SavepointUpgradeIT {

  @Test
  void aNewImageAndANewParallelismGoOnWithTheCounts(Scene scene) {
    Job job = scene.job("counter");
    Manifest first = job.manifest().image("flink:2.2");
    job.deploy(first);

    Manifest image = first.image("flink:2.2.1");
    upgradesExactly(scene, job, image);

    Manifest parallelism = image.parallelism(2);
    upgradesExactly(scene, job, parallelism);
  }

  @Test
  void theStateGoesFromFlink1ToFlink2(Scene scene) {
    Job job = scene.job("older");
    Manifest old = job.manifest("counter-flink-1.20.yaml");
    job.deploy(old);
    SnapshotOfJob canonical =
        new SnapshotOfJob(scene.cluster(), job, "canonical").apply("savepoint: {}");
    SnapshotOfJob nativeOne =
        new SnapshotOfJob(scene.cluster(), job, "native").apply("savepoint: {formatType: NATIVE}");
    SnapshotOfJob checkpoint =
        new SnapshotOfJob(scene.cluster(), job, "checkpoint").apply("checkpoint: {}");
    SnapshotOfJob configured =
        new SnapshotOfJob(scene.cluster(), job, "configured")
            .apply("checkpoint: {type: CONFIGURED}");
    canonical.await("COMPLETED");
    nativeOne.await("COMPLETED");
    checkpoint.await("COMPLETED");
    configured.await("COMPLETED");
    assertThat(canonical.isWrittenAs("CANONICAL")).isTrue();
    assertThat(nativeOne.isWrittenAs("NATIVE")).isTrue();
    assertThat(checkpoint.get().status("/path")).matches("file:.*/chk-\\d+");
    assertThat(configured.get().status("/path")).matches("file:.*/chk-\\d+");

    upgradesExactly(scene, job, old.image("flink:2.2").version("v2_2"));

    job.await("seen as Flink 2.2", it -> it.status("/clusterInfo/flink-version").startsWith("2.2"));
  }

  private static void upgradesExactly(Scene scene, Job job, Manifest changed) {
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), job)) {
      Resource ready = job.deploy(changed);
      upgrade.verifyUpgraded(ready);
      SnapshotOfJob taken =
          SnapshotOfJob.ofOperation(
              scene.cluster(),
              job,
              Path.of(URI.create(ready.status("/operation/savepoint")).getPath()));
      taken.await("COMPLETED");
      taken.awaitCondition("Ready");
      assertThat(taken.isOnDisk()).isTrue();
      assertThat(taken.get().status("/operation/runId")).as("a run of its own").isEmpty();
    }
  }
}
