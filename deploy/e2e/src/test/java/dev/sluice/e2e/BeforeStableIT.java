package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.Resource;
import dev.sluice.local.demo.Counts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A job that is up, and is waited for until it is stable, has left behind what it started from. */
@Tag("e2e")
@OnTestCluster
class BeforeStableIT {

  private static final String AWAITED = "Upgrade Running AwaitStable";

  @Test
  void whatItDoesIsNotLostWhenItFails(Scene scene) throws IOException {
    // given
    Job job = scene.job("unproved");
    Manifest manifest = job.manifest().config("high-availability.type", "none");
    job.deploy(manifest);
    Path broken = job.state().resolve("broken");
    job.annotate("sluice.dev/stable-after", "1h");
    job.apply(
        manifest
            // its TaskManager may go before its JobManager, and that must not fail it
            .config("restart-strategy.type", "fixed-delay")
            .config("restart-strategy.fixed-delay.attempts", "1")
            .config("restart-strategy.fixed-delay.delay", "1 s")
            .plusArgs("--fail-while-file", broken.toString()));
    Resource up = isAwaited(job);
    String first = up.status("/jobStatus/jobId");
    assertThat(up.status("/recordedState/upJob")).isEqualTo(first);

    // when
    Files.createFile(broken);

    // then
    Resource parked = job.await("parked", it -> it.status("/operation/state").equals("Parked"));
    assertThat(parked.status("/operation/reason")).isEqualTo("JobFailed");
    assertThat(parked.status("/operation/message")).contains("JobManager is stopped", "/chk-");
    job.await("told as it is", it -> it.status("/jobStatus/state").equals("FAILED"));
    assertThat(job.flink().pods()).as("nothing can run it again").isEmpty();

    // and when
    Files.delete(broken);
    job.annotate("sluice.dev/stable-after", "0s");
    job.annotate("sluice.dev/retry", "1");

    // then
    job.awaitReady();
    assertThat(job.flink().restored()).contains("/" + first + "/chk-");
    Counts counts = job.counts();
    assertThat(counts.exact()).as("no element lost or doubled: %s", counts).isTrue();
  }

  private static Resource isAwaited(Job job) {
    job.await("waiting until it is stable", it -> it.operation().equals(AWAITED));
    await().until(() -> job.flink().completedCheckpoints(), it -> it > 1);
    return job.await(
        "the job in its status",
        it ->
            it.status("/jobStatus/state").equals("RUNNING")
                && it.status("/jobStatus/jobId").equals(it.status("/recordedState/startedJob")));
  }
}
