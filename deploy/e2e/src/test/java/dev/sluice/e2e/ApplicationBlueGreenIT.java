package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import dev.sluice.local.demo.Counts;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * A FlinkApplication in mode BlueGreen with high availability on Flink 2.2: see
 * docs/flinkapplication.md.
 */
@Tag("e2e")
@OnTestCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ApplicationBlueGreenIT {

  private TestCluster cluster;
  private Application words;
  private Manifest first;
  private Manifest second;

  @BeforeAll
  void deploy(Scene scene) {
    cluster = scene.cluster();
    words = scene.application("words");
    first =
        words
            .manifest()
            .spec("deploymentMode", "BlueGreen")
            .spec("deleteMode", "None")
            .flinkConfig("high-availability.type", "kubernetes")
            .flinkConfig("high-availability.storageDir", words.state().resolve("ha").toUri() + "");
    second = first.spec("programArgs", "--rate 26 --keys 10");
    words.deploy(first);
  }

  /** Until both run, and which of them are shown. */
  private Resource awaitBoth(String old) {
    return words.await(
        "both versions run",
        it ->
            it.isReady()
                && it.status("/phase").equals("DualRunning")
                && it.status("/deployHash").equals(old));
  }

  @Test
  @Order(1)
  void theNewVersionRunsBesideTheOldOneUntilThatIsTornDown() {
    // given
    Resource green = words.get();
    String old = green.status("/deployHash");
    FlinkCluster oldFlink = words.flink(old);
    List<FlinkJob> oldJobs = oldFlink.overview();
    Counts before = oldFlink.counts(words.jobId());
    List<Path> savepoints = words.savepoints();
    assertThat(green.status("/deployVersion")).isEqualTo("green");
    assertThat(words.deployments())
        .containsExactly("words-" + old + "-green-jm", "words-" + old + "-green-tm");
    assertThat(colours(oldFlink)).containsExactly("green", "green");

    // when
    words.apply(second);
    Resource both = awaitBoth(old);

    // then
    String next = both.status("/updatingHash");
    FlinkCluster nextFlink = words.flink(next);
    String nextJob = both.status("/deployment/target/jobId");
    assertThat(both.status("/updatingVersion")).isEqualTo("blue");
    assertThat(both.status("/versionStatuses/0/versionHash")).isEqualTo(old);
    assertThat(both.status("/versionStatuses/1/versionHash")).isEqualTo(next);
    assertThat(colours(nextFlink)).containsExactly("blue", "blue");
    assertThat(oldFlink.overview()).as("never noticed").isEqualTo(oldJobs);
    assertThat(words.savepoints()).hasSize(savepoints.size() + 1);
    Counts after = nextFlink.counts(nextJob);
    assertThat(after.exact()).isTrue();
    assertThat(after.restored()).isGreaterThanOrEqualTo(before.total());
    assertThat(words.leadsTo("words-green")).isEqualTo(selector(oldFlink));
    assertThat(words.leadsTo("words-blue")).isEqualTo(selector(nextFlink));

    // when
    List<FlinkJob> nextJobs = nextFlink.overview();
    Resource alone = words.deploy(second.spec("tearDownVersionHash", old));

    // then
    assertThat(alone.status("/deployHash")).isEqualTo(next);
    assertThat(alone.status("/deployVersion")).isEqualTo("blue");
    assertThat(alone.status("/updatingHash")).isEmpty();
    assertThat(words.deployments())
        .containsExactly("words-" + next + "-blue-jm", "words-" + next + "-blue-tm");
    assertThat(words.objects()).doesNotContain("Service/words-" + old);
    assertThat(nextFlink.overview()).as("never noticed").isEqualTo(nextJobs);
    assertThat(nextFlink.counts(nextJob).exact()).isTrue();
  }

  /** Nothing of Sluice is asked for. */
  @Test
  @Order(2)
  void aJobThatItsJobManagerBringsBackByItselfIsLeftAlone() {
    // given
    String job = words.jobId();
    CountsBefore before = CountsBefore.of(words);
    String operation = words.get().status("/operation/runId");

    // when
    FlinkCluster flink = words.flink();
    flink.killJobManager();
    await("the job is back")
        .pollInterval(Duration.ofMillis(200))
        .until(() -> isRestarted(flink) && flink.jobs().equals(List.of(job + " RUNNING")));

    // then
    before.verifyExact();
    Resource ready = words.awaitRunning();
    assertThat(ready.status("/operation/runId")).isEqualTo(operation);
    assertThat(words.jobId()).isEqualTo(job);
  }

  private static boolean isRestarted(FlinkCluster flink) {
    return flink
        .jobManager()
        .filter(it -> it.getStatus().getContainerStatuses().get(0).getRestartCount() > 0)
        .isPresent();
  }

  @Test
  @Order(3)
  void theNewVersionCanBeTornDownAndIsNotDeployedAgain() {
    // given
    String old = words.get().status("/deployHash");
    List<FlinkJob> jobs = words.flink(old).overview();
    words.apply(first.spec("programArgs", "--rate 27 --keys 10"));
    String next = awaitBoth(old).status("/updatingHash");

    assertThat(CommandOfKind.LIST_APPLICATIONS.run(cluster, words.namespace(), words.name()))
        .containsPattern("words +DualRunning +Green +(Green|Yellow) +\\d");

    // when
    CommandOfKind.TEAR_DOWN_VERSION.run(
        cluster, words.namespace(), words.name(), "1a2b3c4d5e", next);
    Resource alone = words.awaitRunning();

    // then
    assertThat(alone.status("/deployHash")).isEqualTo(old);
    assertThat(alone.status("/teardownHash")).isEqualTo(next);
    assertThat(words.deployments())
        .containsExactly("words-" + old + "-blue-jm", "words-" + old + "-blue-tm");
    assertThat(words.flink(old).overview()).as("never noticed").isEqualTo(jobs);
    assertThat(words.counts().exact()).isTrue();
  }

  @Test
  @Order(4)
  void aDeletionInModeNoneTakesNoSavepoint() {
    // given
    List<Path> savepoints = words.savepoints();

    // when
    words.delete();

    // then
    assertThat(words.objects()).isEmpty();
    assertThat(words.savepoints()).isEqualTo(savepoints);
  }

  private static List<String> colours(FlinkCluster flink) {
    return flink.pods().stream()
        .flatMap(it -> it.getSpec().getContainers().get(0).getEnv().stream())
        .filter(it -> it.getName().equals("FLINK_APPLICATION_VERSION"))
        .map(EnvVar::getValue)
        .toList();
  }

  private static String selector(FlinkCluster flink) {
    Pod jobManager = flink.jobManager().orElseThrow();
    return jobManager.getMetadata().getLabels().get("pod-deployment-selector");
  }
}
