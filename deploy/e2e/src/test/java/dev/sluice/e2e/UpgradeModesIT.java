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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the new job starts from, in each upgrade mode. */
@Tag("e2e")
@OnTestCluster
class UpgradeModesIT {

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "savepoint, .*/savepoint-.*, 1, true",
    "last-state, .*/chk-.*, 0, true",
    "stateless, '', 0, false"
  })
  void aNewSpecStartsFromWhatItsModeSays(
      String mode, String restored, int savepoints, boolean keepsState, Scene scene) {
    // given
    Job job = scene.job("modes");
    Manifest first = job.manifest().upgradeMode(mode);
    job.deploy(first);
    job.await("a checkpoint of its own", it -> job.flink().hasNewestCheckpoint());
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), job)) {

      // when
      Resource upgraded =
          job.deploy(first.image("flink:2.2.1").parallelism(2).config(Manifest.ROUND, "2"));

      // then
      assertThat(upgraded.operation()).isEqualTo("Upgrade Succeeded MarkStable");
      assertThat(job.flink().configuration(Manifest.ROUND)).isEqualTo("2");
      assertThat(job.flink().parallelism()).isEqualTo(2);
      assertThat(job.flink().restored()).matches(restored);
      assertThat(job.counts().restored() > 0).as("starts with state").isEqualTo(keepsState);
      assertThat(upgrade.goesOn().exact()).as("no element lost or doubled").isTrue();
      upgrade.verifySavepoints(savepoints);
      upgrade.verifyOneCluster(2);
    }
  }

  @Test
  void theStateGoesFromFlink1ToFlink2(Scene scene) {
    // given
    Job job = scene.job("older");
    Manifest old = job.manifest("counter-flink-1.20.yaml");
    job.deploy(old);
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), job)) {

      // when
      Resource upgraded = job.deploy(old.image("flink:2.2").version("v2_2"));

      // then
      upgrade.verifyUpgraded(upgraded);
      job.await(
          "seen as Flink 2.2", it -> it.status("/clusterInfo/flink-version").startsWith("2.2"));
    }
  }

  @Test
  void aJobThatIsSuspendedFromTheFirstRunsNothingUntilItIsResumed(Scene scene) {
    // given
    Job job = scene.job("dormant");

    // when
    Resource suspended = job.deploy(job.manifest().jobState("suspended"));

    // then
    assertThat(suspended.status("/lifecycleState")).isEqualTo("SUSPENDED");
    assertThat(suspended.status("/jobManagerDeploymentStatus")).isEqualTo("MISSING");

    // when
    Resource resumed = job.deploy(job.manifest());

    // then
    assertThat(resumed.operation()).isEqualTo("Resume Succeeded MarkStable");
    assertThat(job.counts().restored()).isZero();
  }
}
