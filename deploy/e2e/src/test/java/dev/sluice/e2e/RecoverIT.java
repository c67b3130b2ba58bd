package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.e2e.breakpoint.Breakpoint;
import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.ExactUpgrade;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Resource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A job is lost, and nobody does anything about it. */
@Tag("e2e")
@OnTestCluster
class RecoverIT {

  @Test
  void aJobWhoseJobManagerDeploymentIsDeletedComesBackByItself(Scene scene) {
    // given
    Job job = scene.deployed("recovered");
    Resource running = job.get();
    job.await("a checkpoint of its own", it -> job.flink().hasNewestCheckpoint());
    String jobId = running.status("/jobStatus/jobId");
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), job)) {

      // when
      scene.cluster().kubectl().run("delete", "-n", job.namespace(), "deployment", job.name());

      // then
      Resource recovered =
          job.await(
              "recovered",
              it -> it.isReady() && it.operation().equals("Recover Succeeded MarkStable"));
      assertThat(recovered.status("/recovery/attempts")).isEqualTo("1");
      assertThat(recovered.status("/recovery/cause")).isEqualTo("JobManagerMissing");
      assertThat(recovered.status("/jobStatus/jobId")).as("the same job").isEqualTo(jobId);
      assertThat(job.flink().restored()).contains("/" + jobId + "/chk-");
      assertThat(upgrade.goesOn().exact()).as("no element lost or doubled").isTrue();
      upgrade.verifySavepoints(0);
      upgrade.verifyOneCluster(2);
    }
  }

  /** FLINK-35857: Apache's operator did not take the newest checkpoint. */
  @Test
  void aJobThatFailedIsStartedAgainFromItsNewestCheckpoint(Scene scene) throws IOException {
    // given
    Job job = scene.job("restarted");
    Path broken = job.state().resolve("broken");
    Resource running =
        job.deploy(
            job.manifest()
                .config("kubernetes.operator.job.restart.failed", "true")
                .config("restart-strategy.type", "none")
                .plusArgs("--fail-while-file", broken.toString()));
    job.await("a checkpoint of its own", it -> job.flink().hasNewestCheckpoint());
    Breakpoint creating = job.hold(Breakpoint.Moment.BEFORE, "CreateCluster");
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), job)) {

      // when
      Files.createFile(broken);
      job.awaitHeld(creating);
      Files.delete(broken);
      creating.release();

      // then
      Resource recovered =
          job.await(
              "recovered",
              it -> it.isReady() && it.operation().equals("Recover Succeeded MarkStable"));
      assertThat(recovered.status("/recovery/cause")).isEqualTo("JobFailed");
      assertThat(job.flink().restored())
          .isEqualTo(recovered.status("/recordedState/path"))
          .contains("/" + running.status("/jobStatus/jobId") + "/chk-");
      assertThat(upgrade.goesOn().exact()).as("no element lost or doubled").isTrue();
      upgrade.verifySavepoints(0);
      upgrade.verifyOneCluster(2);
    }
  }
}
