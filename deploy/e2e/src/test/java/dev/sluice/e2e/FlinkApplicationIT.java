package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.e2e.breakpoint.Breakpoint;
import dev.sluice.e2e.breakpoint.Breakpoint.Moment;
import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.Application;
import dev.sluice.e2e.job.CountsBefore;
import dev.sluice.e2e.job.FlinkCluster;
import dev.sluice.e2e.job.FlinkJob;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.Resource;
import dev.sluice.e2e.job.SnapshotHold;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** FlinkApplications in mode Dual: see docs/flinkapplication.md. */
@Tag("e2e")
@Isolated("it kills the worker")
@OnTestCluster
class FlinkApplicationIT {

  private static final Path LYFT = Path.of("src/test/resources/lyft/wordcount.yaml");
  private static final String ARGUMENTS = "--rate 25 --keys 7 --name 'two words'";

  @Test
  void aManifestOfLyftsOperatorRunsUnchangedAndItsArgumentsArrive(Scene scene) {
    // given
    Application words = scene.application("wordcount");

    // when
    Resource running = words.deploy(words.manifest(LYFT));

    // then
    verifyRunsAlone(words, running);
    verifyName(words);
    words.await(
        "healthy",
        it ->
            it.status("/clusterStatus/health").equals("Green")
                && it.status("/jobStatus/jobRestartCount").equals("0"));
  }

  /**
   * Once while the savepoint is being taken that stops the old job, once before the old cluster
   * goes.
   */
  @Test
  void anUpgradeInWhichWorkerAndControllerAreKilledTwiceNeverRunsTwoJobs(Scene scene) {
    // given
    Application words = scene.application("wordcount");
    SnapshotHold snapshots = SnapshotHold.of(words);
    Manifest first = words.manifest(LYFT).spec("programArgs", arguments(snapshots.arguments()));
    words.deploy(first);
    CountsBefore before = CountsBefore.of(words);
    FlinkCluster old = words.flink();
    String oldJob = words.jobId();
    Breakpoint deleting = words.hold(Moment.BEFORE, "DeleteVersion");

    // when
    snapshots.begin(() -> words.apply(first.spec("parallelism", 1)));
    kill(scene);
    snapshots.release();
    words.awaitHeld(deleting);
    List<FlinkJob> oldJobs = old.overview();
    List<FlinkJob> newJobs = words.flink().overview();
    kill(scene);
    deleting.release();
    Resource running = words.awaitRunning();

    // then
    assertThat(oldJobs).extracting(FlinkJob::id).containsExactly(oldJob);
    assertThat(oldJobs.get(0).state()).isEqualTo("FINISHED");
    assertThat(newJobs).extracting(FlinkJob::id).containsExactly(words.jobId());
    assertThat(newJobs.get(0).startMs()).isGreaterThan(oldJobs.get(0).endMs());
    before.verifyExactFromOneSavepoint();
    assertThat(words.flink().overview()).hasSize(1);
    verifyRunsAlone(words, running);

    // when
    CountsBefore last = CountsBefore.of(words);
    words.delete();

    // then
    assertThat(last.taken()).as("savepoints").hasSize(1);
    assertThat(words.objects()).isEmpty();
  }

  /** Lyft's operator leaves the status at Green, and the job lost. */
  @Test
  void aJobThatItsJobManagerHasLostGoesOnFromItsNewestCheckpoint(Scene scene) {
    // given: Flink 2.2
    Application words = scene.application("words");
    words.deploy(words.manifest().spec("programArgs", ARGUMENTS));
    String job = words.jobId();
    await("a checkpoint of job " + job)
        .pollInterval(Duration.ofMillis(200))
        .until(() -> words.flink().completedCheckpoints(job) > 0);
    CountsBefore before = CountsBefore.of(words);

    // when
    words.flink().killJobManager();

    // then
    Resource recovered =
        words.await(
            "recovered",
            it ->
                it.isReady()
                    && it.operation().startsWith("Recover Succeeded")
                    && !it.status("/deployment/deployed/jobId").equals(job));
    before.verifyExactFromCheckpoint(job);
    assertThat(recovered.status("/phase")).isEqualTo("Running");
    assertThat(words.flink().jobs()).containsExactly(words.jobId() + " RUNNING");
    verifyName(words);
  }

  private static String arguments(String... more) {
    return Stream.of(more).map(it -> " '" + it + "'").reduce(ARGUMENTS, String::concat);
  }

  private static void kill(Scene scene) {
    scene.cluster().kill("worker");
    scene.cluster().kill("controller");
  }

  private static void verifyName(Application words) {
    assertThat(words.flink().overview())
        .singleElement()
        .satisfies(it -> assertThat(it.name()).isEqualTo("two words"));
  }

  private static void verifyRunsAlone(Application words, Resource running) {
    String version = words.name() + "-" + running.status("/deployHash");
    Pod jobManager = words.flink().jobManager().orElseThrow();
    assertThat(words.deployments()).containsExactly(version + "-jm", version + "-tm");
    assertThat(words.leadsTo(words.name()))
        .isEqualTo(jobManager.getMetadata().getLabels().get("pod-deployment-selector"));
  }
}
