package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.Resource;
import dev.sluice.local.demo.Counts;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A job that has ended outside of an operation stays so, and what it left is not lost. */
@Tag("e2e")
@OnTestCluster
class EndedJobIT {

  /** Flink's high-availability services remember how a job has ended. */
  private static final String NOT_RUN_AGAIN = "already reached a globally-terminal state";

  /** Kubernetes would run it again with the next pod, from what it was first started with. */
  @Test
  void aJobThatWasCancelledIsNotRunAgainAndTheNextSpecGoesOnFromItsCheckpoint(Scene scene)
      throws Exception {
    // given
    Job job = scene.job("cancelled");
    Manifest manifest =
        job.manifest().config("high-availability.type", "none").config(Manifest.ROUND, "0");
    job.deploy(manifest);
    await().until(() -> job.flink().completedCheckpoints(), it -> it > 1);

    // when
    job.flink().cancelJob();

    // then
    Resource ended =
        job.await(
            "its cluster is deleted, and it is told as it is",
            it ->
                it.status("/jobManagerDeploymentStatus").equals("MISSING")
                    && it.status("/jobStatus/state").equals("CANCELED"));
    assertThat(ended.condition("Ready")).startsWith("False");
    await("nothing can run it again").until(() -> job.flink().pods().isEmpty());

    // and when
    job.deploy(manifest.config(Manifest.ROUND, "1"));

    // then
    Counts counts = job.counts();
    assertThat(counts.exact()).as("no element lost or doubled: %s", counts).isTrue();
    assertThat(counts.restored()).as("from its checkpoint: %s", counts).isPositive();
    assertThat(job.flink().restored()).contains("/chk-");
  }

  /** With high availability a JobManager that is restarted does not list a job that has ended. */
  @Test
  void aRestartedJobManagerRunsNoEndedJobAgainAndWhatThatLeftIsKnown(Scene scene) throws Exception {
    // given
    Job job = scene.job("forgotten");
    Manifest manifest = job.manifest().quickFailover().config(Manifest.ROUND, "0");
    job.deploy(manifest);
    job.await("checkpoints of its own", it -> job.flink().completedCheckpoints() > 1);
    job.flink().cancelJob();
    job.await("recorded", it -> it.status("/endedJob/state").equals("CANCELED"));

    // when
    job.flink().killJobManager();
    await().ignoreExceptions().until(() -> job.flink().jobs().isEmpty());
    job.deploy(manifest.config(Manifest.ROUND, "1"));

    // then
    Counts counts = job.counts();
    assertThat(counts.exact()).as("no element lost or doubled: %s", counts).isTrue();
    assertThat(job.flink().restored()).as("its newest checkpoint").contains("/chk-");

    // and when
    job.flink().stopJob();
    Resource finished =
        job.await(
            "recorded as finished",
            it ->
                it.status("/endedJob/state").equals("FINISHED")
                    && it.status("/jobStatus/state").equals("FINISHED"));
    String left = finished.status("/endedJob/left/path");
    job.flink().killJobManager();

    // then
    await().ignoreExceptions().until(() -> job.flink().jobManagerLog().contains(NOT_RUN_AGAIN));
    List<String> jobs =
        await().ignoreExceptions().until(() -> job.flink().jobs(), Objects::nonNull);
    assertThat(jobs).as("what the new JobManager runs").isEmpty();
    assertThat(left).contains("/savepoint-");
    Resource still = job.awaitReady();
    assertThat(still.status("/endedJob/left/path")).isEqualTo(left);
    assertThat(still.condition("Ready")).isEqualTo("True JobFinished");
    assertThat(still.status("/jobStatus/state")).isEqualTo("FINISHED");
    assertThat(still.status("/jobStatus/jobId")).isEqualTo(finished.status("/jobStatus/jobId"));
  }
}
