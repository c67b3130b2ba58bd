package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.Application;
import dev.sluice.e2e.job.CountsBefore;
import dev.sluice.e2e.job.FlinkCluster;
import dev.sluice.e2e.job.FlinkJob;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.Resource;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** What becomes of the state of a FlinkApplication on Flink 2.2, whatever happens to its job. */
@Tag("e2e")
@OnTestCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ApplicationStateIT {

  private static final String RETENTION =
      "execution.checkpointing.externalized-checkpoint-retention";

  private Scene scene;
  private Application words;
  private Manifest newest;

  @BeforeAll
  void deploy(Scene scene) {
    this.scene = scene;
    words = scene.application("words");
    newest =
        words
            .manifest()
            .spec("scaleMode", "InPlace")
            .spec("deleteMode", "ForceCancel")
            .spec("programArgs", "--rate 25 --keys 7 --name 'two words'");
    words.deploy(newest);
  }

  /** What of the job a checkpoint tells, as soon as there is one. */
  private CountsBefore afterACheckpoint() {
    String job = words.jobId();
    await("a checkpoint of job " + job)
        .pollInterval(Duration.ofMillis(200))
        .until(() -> words.flink().completedCheckpoints(job) > 0);
    return CountsBefore.of(words);
  }

  private Resource awaitRecovered(String oldJob) {
    return words.await(
        "recovered",
        it ->
            it.isReady()
                && it.operation().startsWith("Recover Succeeded")
                && !it.status("/deployment/deployed/jobId").equals(oldJob));
  }

  /** Lyft's operator leaves the status at Green, and the job lost. */
  @Test
  @Order(1)
  void aJobThatItsJobManagerHasLostGoesOnFromItsNewestCheckpoint() {
    // given
    String job = words.jobId();
    Resource running = words.get();
    CountsBefore before = afterACheckpoint();

    // when
    words.flink().killJobManager();

    // then
    Resource recovered = awaitRecovered(job);
    before.verifyExactFromCheckpoint(job);
    assertThat(words.flink().jobs()).containsExactly(words.jobId() + " RUNNING");
    assertThat(recovered.status("/deployHash")).isEqualTo(running.status("/deployHash"));
    assertThat(recovered.status("/phase")).isEqualTo("Running");
  }

  @Test
  @Order(2)
  void aClusterThatWasDeletedByHandIsMadeAgainAndItsJobGoesOn() {
    // given
    String job = words.jobId();
    List<String> deployments = words.deployments();
    CountsBefore before = afterACheckpoint();

    // when
    String unused =
        scene
            .cluster()
            .kubectl()
            .run("delete", "deployment", "-n", words.namespace(), "-l", "flink-app=words");

    // then
    Resource recovered = awaitRecovered(job);
    before.verifyExactFromCheckpoint(job);
    assertThat(recovered.status("/phase")).isEqualTo("Running");
    assertThat(words.deployments()).isEqualTo(deployments);
    assertThat(words.flink().jobs()).containsExactly(words.jobId() + " RUNNING");
  }

  /** {@code --cascade=orphan}: its pod runs on. */
  @Test
  @Order(3)
  void aJobManagerWhoseDeploymentAloneWasDeletedGetsItAgainAndItsJobGoesOn() {
    // given
    String job = words.jobId();
    List<String> deployments = words.deployments();
    List<String> pods = uids(words.flink());
    String jobManager =
        deployments.stream().filter(it -> it.endsWith("-jm")).findFirst().orElseThrow();

    // when
    String unused =
        scene
            .cluster()
            .kubectl()
            .run("delete", "deployment", "-n", words.namespace(), jobManager, "--cascade=orphan");

    // then
    Resource whole =
        words.await(
            "its Deployment",
            it -> it.isReady() && it.status("/operation/message").endsWith("has its job"));
    assertThat(whole.operation()).startsWith("Recover Succeeded");
    assertThat(words.deployments()).isEqualTo(deployments);
    assertThat(uids(words.flink())).isEqualTo(pods);
    assertThat(words.flink().jobs()).containsExactly(job + " RUNNING");
  }

  @Test
  @Order(4)
  void whereNoSavepointCanBeTakenTheNewVersionStartsFromACheckpointOfTheCancelledJob()
      throws IOException {
    // given
    String job = words.jobId();
    Resource running = words.get();
    CountsBefore before = afterACheckpoint();
    refuseSavepoints();

    // when
    newest =
        newest
            .spec("programArgs", "--rate 26 --keys 7 --name 'three words'")
            .flinkConfig(RETENTION, "DELETE_ON_CANCELLATION");
    Resource upgraded = words.deploy(newest);

    // then
    assertThat(upgraded.status("/deployHash")).isNotEqualTo(running.status("/deployHash"));
    before.verifyExactFromCheckpoint(job);
    assertThat(words.flink().overview())
        .singleElement()
        .satisfies(it -> assertThat(it.name()).isEqualTo("three words"));
    assertThat(words.deployments()).hasSize(2);
  }

  @Test
  @Order(5)
  void whereNeitherASavepointNorACheckpointIsKeptTheOldJobRunsOn() throws IOException {
    // given
    CountsBefore before = afterACheckpoint();
    List<FlinkJob> jobs = words.flink().overview();
    List<String> deployments = words.deployments();

    // when
    words.apply(newest.spec("programArgs", "--rate 27 --keys 7"));
    Resource failed = words.awaitFailed();

    // then
    assertThat(failed.status("/operation/message")).contains(RETENTION, "RETAIN_ON_CANCELLATION");
    assertThat(words.flink().overview()).isEqualTo(jobs);
    assertThat(words.deployments()).isEqualTo(deployments);
    before.verifyExact();

    // and when
    allowSavepoints();
    words.deploy(newest);
  }

  /** Where their directory is to be there is a file. */
  private void refuseSavepoints() throws IOException {
    Files.createFile(words.state().resolve("savepoints"));
  }

  private void allowSavepoints() throws IOException {
    Files.delete(words.state().resolve("savepoints"));
  }

  @Test
  @Order(6)
  void aHigherParallelismInPlaceKeepsTheClusterAndTheCounts() {
    // given
    Resource running = words.get();
    List<String> deployments = words.deployments();
    List<String> pods = uids(words.flink());
    CountsBefore before = CountsBefore.of(words);

    // when
    newest = newest.spec("parallelism", 3);
    Resource scaled = words.deploy(newest);

    // then
    assertThat(scaled.operation()).startsWith("Rescale Succeeded");
    before.verifyExactFromOneSavepoint();
    assertThat(uids(words.flink())).containsAll(pods).hasSize(3);
    assertThat(words.deployments()).isEqualTo(deployments);
    assertThat(scaled.status("/deployHash")).isNotEqualTo(running.status("/deployHash"));
    assertThat(scaled.status("/inPlaceUpdatedFromHash")).isEqualTo(running.status("/deployHash"));
    assertThat(words.flink().taskManagers()).isEqualTo(2);
    words.await("four tasks", it -> it.status("/jobStatus/totalTasks").equals("4"));
  }

  @Test
  @Order(7)
  void aNewVersionStartsFromTheSavepointOfTheOneBeforeWhichIsRemoved() {
    // given
    List<String> old = new ArrayList<>(words.objects());
    CountsBefore before = CountsBefore.of(words);

    // when
    newest =
        newest
            .spec("parallelism", 1)
            .spec("programArgs", "--rate 27 --keys 7 --name \"four words\"");
    Resource upgraded = words.deploy(newest);

    // then
    before.verifyExactFromOneSavepoint();
    String hash = upgraded.status("/deployHash");
    assertThat(words.objects()).contains("Service/words", "Service/words-" + hash);
    old.remove("Service/words");
    assertThat(words.objects()).doesNotContainAnyElementsOf(old);
    assertThat(words.flink().overview())
        .singleElement()
        .satisfies(it -> assertThat(it.name()).isEqualTo("four words"));
  }

  @Test
  @Order(8)
  void aDeletionThatCancelsTakesNoSavepoint() {
    // given
    CountsBefore before = CountsBefore.of(words);

    // when
    words.delete();

    // then
    assertThat(before.taken()).as("savepoints").isEmpty();
    assertThat(words.objects()).isEmpty();
  }

  private static List<String> uids(FlinkCluster flink) {
    return flink.pods().stream().map(Pod::getMetadata).map(it -> it.getUid()).sorted().toList();
  }
}
