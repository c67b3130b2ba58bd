package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.ExactUpgrade;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.Resource;
import dev.sluice.local.demo.Counts;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("e2e")
@OnTestCluster
class SuspendAndResumeIT {

  @Test
  void aSuspendedJobGoesOnWithAnotherSpecWhereItStopped(Scene scene) {
    // given
    Job job = scene.deployed("nightly");
    Manifest running = job.applied();
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), job)) {

      // when
      Resource suspended = job.deploy(running.jobState("suspended"));

      // then
      assertThat(suspended.operation()).isEqualTo("Suspend Succeeded MarkStable");
      assertThat(suspended.status("/lifecycleState")).isEqualTo("SUSPENDED");
      assertThat(suspended.condition("Running")).isEqualTo("False Suspended");
      assertThat(suspended.status("/jobStatus/state")).isEqualTo("SUSPENDED");
      upgrade.verifyOneCluster(1);

      // when
      Resource resumed = job.deploy(running.parallelism(1));

      // then
      assertThat(resumed.operation()).isEqualTo("Resume Succeeded MarkStable");
      Counts after = upgrade.goesOn();
      assertThat(after.exact()).as("no element lost or doubled: %s", after).isTrue();
      upgrade.verifyRestored(resumed);
      upgrade.verifySavepoints(1);
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
    Resource resumed = job.deploy(job.manifest().jobState("running"));

    // then
    assertThat(resumed.operation()).isEqualTo("Resume Succeeded MarkStable");
    assertThat(job.counts().restored()).isZero();
  }
}
