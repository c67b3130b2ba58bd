package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.e2e.breakpoint.Breakpoint;
import dev.sluice.e2e.breakpoint.Breakpoint.Moment;
import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.cluster.TestCluster;
import dev.sluice.e2e.docs.CommandOfKind;
import dev.sluice.e2e.job.Application;
import dev.sluice.e2e.job.CountsBefore;
import dev.sluice.e2e.job.FlinkCluster;
import dev.sluice.e2e.job.FlinkJob;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.Resource;
import dev.sluice.e2e.job.SnapshotHold;
import dev.sluice.local.demo.Counts;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * A FlinkApplication in mode Dual on Flink 1.20, from its first deployment to its deletion: see
 * docs/flinkapplication.md. Its manifest is written as for Lyft's operator.
 */
@Tag("e2e")
@Isolated("it kills the worker")
@OnTestCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FlinkApplicationIT {

  private static final Path LYFT = Path.of("src/test/resources/lyft/wordcount.yaml");

  private TestCluster cluster;
  private Application words;
  private SnapshotHold snapshots;
  private Manifest first;
  private Manifest second;

  @BeforeAll
  void name(Scene scene) {
    cluster = scene.cluster();
    words = scene.application("wordcount");
    snapshots = SnapshotHold.of(words);
    first = words.manifest(LYFT);
    second = args(snapshots.arguments());
  }

  @AfterEach
  void release() {
    snapshots.release();
  }

  private Manifest args(String... more) {
    String quoted = Stream.of(more).map(it -> " '" + it + "'").reduce("", String::concat);
    return first.spec("programArgs", "--rate 25 --keys 7 --name 'two words'" + quoted);
  }

  @Test
  @Order(1)
  void aManifestOfLyftsOperatorRunsUnchangedAndItsArgumentsArrive() {
    // when
    Resource running = words.deploy(args(snapshots.arguments()));

    // then
    String hash = running.status("/deployHash");
    assertThat(words.deployments())
        .containsExactly("wordcount-" + hash + "-jm", "wordcount-" + hash + "-tm");
    assertThat(words.flink().overview())
        .singleElement()
        .satisfies(
            job -> {
              assertThat(job.id()).isEqualTo(words.jobId());
              assertThat(job.name()).isEqualTo("two words");
            });
    assertThat(words.leadsTo("wordcount")).isEqualTo(selector(words.flink()));

    // and
    words.await(
        "healthy",
        it ->
            it.status("/clusterStatus/health").equals("Green")
                && it.status("/jobStatus/jobRestartCount").equals("0"));
    CommandOfKind.WAIT_FOR_APPLICATION.run(cluster, words.namespace(), words.name());
    assertThat(CommandOfKind.GET_APPLICATION.run(cluster, words.namespace(), words.name()))
        .containsPattern("PHASE +CLUSTER HEALTH +JOB HEALTH +JOB RESTARTS")
        .containsPattern("wordcount +Running +Green +(Green|Yellow) +0");
    assertThat(CommandOfKind.APPLY_APPLICATION.tried(cluster)).contains("(server dry run)");
  }

  /**
   * Once while the savepoint is being taken that stops the old job, once before the old cluster
   * goes.
   */
  @Test
  @Order(2)
  void anUpgradeInWhichWorkerAndControllerAreKilledTwiceNeverRunsTwoJobs(Scene scene) {
    // given
    CountsBefore before = CountsBefore.of(words);
    FlinkCluster old = words.flink();
    String oldJob = words.jobId();
    Breakpoint deleting = words.hold(Moment.BEFORE, "DeleteVersion");

    // when
    snapshots.begin(() -> words.apply(second.spec("parallelism", 1)));
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
    String hash = running.status("/deployHash");
    assertThat(words.deployments())
        .containsExactly("wordcount-" + hash + "-jm", "wordcount-" + hash + "-tm");
    assertThat(words.leadsTo("wordcount")).isEqualTo(selector(words.flink()));
  }

  private static void kill(Scene scene) {
    scene.cluster().kill("worker");
    scene.cluster().kill("controller");
  }

  @Test
  @Order(3)
  void aNewJobThatFailsIsReplacedByTheOldOneFromTheSavepoint() {
    // given
    Resource running = words.get();
    CountsBefore before = CountsBefore.of(words);
    List<String> pods = uids(words.flink());
    String oldJob = words.jobId();

    // when
    words.apply(args("--fail-at-start", "open").flinkConfig("restart-strategy.type", "none"));
    Resource failed = words.awaitFailed();

    // then
    before.verifyExactFromOneSavepoint();
    assertThat(failed.status("/deployHash")).isEqualTo(running.status("/deployHash"));
    assertThat(failed.status("/rollbackHash")).isEqualTo(running.status("/deployHash"));
    assertThat(failed.status("/operation/message")).contains("--fail-at-start");
    assertThat(uids(words.flink())).as("the old cluster was left").isEqualTo(pods);
    assertThat(words.flink().jobs())
        .containsExactlyInAnyOrder(oldJob + " FINISHED", words.jobId() + " RUNNING");
    String hash = running.status("/deployHash");
    assertThat(words.deployments())
        .containsExactly("wordcount-" + hash + "-jm", "wordcount-" + hash + "-tm");
    assertThat(words.leadsTo("wordcount")).isEqualTo(selector(words.flink()));
  }

  @Test
  @Order(4)
  void anImageThatCannotBePulledIsNeverNoticedByTheOldJob() {
    // given
    Resource before = words.get();
    CountsBefore counts = CountsBefore.of(words);
    List<String> pods = uids(words.flink());
    List<FlinkJob> jobs = words.flink().overview();

    // when
    words.apply(second.spec("image", "flink:0.9"));
    Resource failed =
        words.await(
            "failed",
            it ->
                it.observed()
                    && it.status("/phase").equals("DeployFailed")
                    && !it.status("/failedDeployHash").equals(before.status("/failedDeployHash")));

    // then
    assertThat(failed.status("/operation/message")).contains("flink:0.9");
    assertThat(words.flink().overview()).containsExactlyInAnyOrderElementsOf(jobs);
    assertThat(uids(words.flink())).isEqualTo(pods);
    assertThat(counts.taken()).as("savepoints").isEmpty();
    Counts after = counts.verifyExact();
    assertThat(after.keys()).isEqualTo(7);
    assertThat(words.deployments()).hasSize(2);

    // and when
    CommandOfKind.RETRY_APPLICATION.run(cluster, words.namespace(), words.name());
    words.await("tried again", it -> it.status("/phase").equals("ClusterStarting"));
    CommandOfKind.ABORT_APPLICATION.run(cluster, words.namespace(), words.name());

    // then
    Resource aborted = words.await("given up", it -> it.operation().startsWith("Deploy Aborted"));
    assertThat(aborted.status("/phase")).isEqualTo("DeployFailed");
    assertThat(words.flink().overview()).containsExactlyInAnyOrderElementsOf(jobs);

    // and when
    Resource back = words.deploy(second.spec("parallelism", 1));

    // then
    assertThat(back.status("/failedDeployHash")).isEmpty();
    assertThat(words.flink().overview()).containsExactlyInAnyOrderElementsOf(jobs);
  }

  @Test
  @Order(5)
  void theDeletionLeavesNothingButASavepointFromWhichItGoesOnOnFlink2() {
    // given
    CountsBefore before = CountsBefore.of(words);

    // when
    words.delete();

    // then
    assertThat(before.taken()).as("savepoints").hasSize(1);
    assertThat(words.objects()).isEmpty();

    // and when
    words.deploy(
        words
            .manifest()
            .spec("programArgs", "--rate 25 --keys 7")
            .spec("savepointPath", before.taken().get(0).toUri().toString()));

    // then
    before.verifyExactFromOneSavepoint();
  }

  private static List<String> uids(FlinkCluster flink) {
    return flink.pods().stream().map(it -> it.getMetadata().getUid()).sorted().toList();
  }

  private static String selector(FlinkCluster flink) {
    Pod jobManager = flink.jobManager().orElseThrow();
    return jobManager.getMetadata().getLabels().get("pod-deployment-selector");
  }
}
