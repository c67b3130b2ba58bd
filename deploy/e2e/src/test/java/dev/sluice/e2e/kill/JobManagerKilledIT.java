package dev.sluice.e2e.kill;

import static org.awaitility.Awaitility.await;

import dev.sluice.e2e.breakpoint.Breakpoint.Moment;
import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Manifest;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The JobManager that is there at that step: the old one, or, from CreateCluster on, the new one.
 */
@Tag("e2e")
@OnTestCluster
class JobManagerKilledIT {

  @Test
  void atEachStep(Scene scene) {
    new UpgradesHeld(scene, Manifest::quickFailover)
        .andJobsDisturbed(
            step -> step.equals("CreateCluster") ? Moment.AFTER : Moment.BEFORE,
            jobs -> jobs.forEach(JobManagerKilledIT::killJobManager));
  }

  /** As soon as its process is there: at some steps it is only about to start. */
  private static void killJobManager(Job job) {
    await()
        .pollInterval(Duration.ofMillis(50))
        .ignoreExceptions()
        .until(
            () -> {
              job.flink().killJobManager();
              return true;
            });
  }
}
