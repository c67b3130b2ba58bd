package dev.sluice.e2e.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.e2e.cluster.TestCluster;
import dev.sluice.e2e.job.FlinkCluster;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Lane;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.OneJobWatch;
import dev.sluice.e2e.job.Resource;
import dev.sluice.local.demo.Counts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What must hold after an operation on a FlinkDeployment, whatever was killed meanwhile. */
final class Verification implements AutoCloseable {

  private final TestCluster cluster;
  private final Survivor survivor;
  private final Operation operation;
  private final boolean disturbed;
  private List<Path> savepoints = List.of();
  private @Nullable OneJobWatch watch;
  private @Nullable Lane lane;

  /**
   * @param disturbed the job may have failed over meanwhile, and a savepoint may have failed
   */
  Verification(TestCluster cluster, Survivor survivor, Operation operation, boolean disturbed) {
    this.cluster = cluster;
    this.survivor = survivor;
    this.operation = operation;
    this.disturbed = disturbed;
  }

  /** Looks before the operation begins. */
  void begin() {
    savepoints = survivor.job().savepoints();
    watch = new OneJobWatch(cluster, survivor.job());
    lane = survivor.job().find().isEmpty() ? null : survivor.job().lane();
  }

  /** Checks all of it, and has the survivor remember what the next operation needs. */
  void verify() {
    survivor.ended(operation, counts());
  }

  /** Checks all of it; the counts of the job that runs now, null when none does. */
  private @Nullable Counts counts() {
    Job job = survivor.job();
    Lane runs = lane == null ? job.lane() : lane;
    await("the workflow run is closed").until(() -> !runs.isOpen());
    verifyClusters();
    return switch (operation.clusters()) {
      case ONE_ENDS -> {
        verifyNothingRuns(job);
        verifySavepoints(job);
        yield survivor.counted();
      }
      case ONE_STARTS, ONE_REPLACES_ANOTHER -> {
        Counts now = verifyCounts();
        verifyOneJob(job);
        verifyRestored(now);
        verifySavepoints(job);
        assertThat(job.flink().configuration(Manifest.ROUND))
            .as("the spec that runs")
            .isEqualTo(survivor.round());
        yield now;
      }
    };
  }

  private void verifyClusters() {
    assertThat(seen().problems()).as("clusters side by side").isEmpty();
    List<String> started = seen().jobManagers();
    int expected = operation.clusters() == Operation.Clusters.ONE_REPLACES_ANOTHER ? 2 : 1;
    assertThat(started).as("JobManagers, one after the other").doesNotHaveDuplicates();
    if (disturbed) {
      assertThat(started.size()).as("JobManagers: %s", started).isGreaterThanOrEqualTo(expected);
    } else {
      assertThat(started).as("JobManagers, one after the other").hasSize(expected);
    }
  }

  private OneJobWatch seen() {
    if (watch == null) {
      throw new IllegalStateException("begin first");
    }
    return watch;
  }

  /** The job works, and no element was lost or doubled on the way. */
  private Counts verifyCounts() {
    Counts before = survivor.counted();
    boolean goesOn =
        switch (operation) {
          case UPGRADE, STABLE_AFTER, LAST_STATE, RESUME, ABORT, RECOVER -> before != null;
          default -> false;
        };
    long least = goesOn && before != null ? before.total() : 0;
    Counts now =
        await("counts that go on").until(() -> survivor.job().counts(), it -> it.total() > least);
    assertThat(now.exact()).as("no element lost or doubled: %s", now).isTrue();
    boolean fromSavepoint =
        switch (operation) {
          case UPGRADE, STABLE_AFTER, RESUME, ABORT -> before != null;
          default -> false;
        };
    if (fromSavepoint && before != null) {
      assertThat(now.restored()).as("restored: %s", now).isGreaterThanOrEqualTo(before.total());
    }
    return now;
  }

  /** One job, one JobManager, no pod, no high-availability metadata of another one. */
  private static void verifyOneJob(Job job) {
    FlinkCluster flink = job.flink();
    await("one job on one cluster")
        .pollInterval(Duration.ofMillis(500))
        .untilAsserted(
            () -> {
              List<String> jobs = flink.jobs();
              assertThat(jobs).as("jobs").hasSize(1).allMatch(it -> it.endsWith(" RUNNING"));
              String id = jobs.get(0).split(" ", 2)[0];
              verifyOneCluster(flink.objects(), id);
            });
  }

  /** A suspended or deleted job leaves no pod; a deleted one leaves nothing. */
  private void verifyNothingRuns(Job job) {
    await("nothing is left")
        .pollInterval(Duration.ofMillis(500))
        .untilAsserted(
            () ->
                assertThat(job.flink().objects())
                    .filteredOn(
                        it ->
                            operation == Operation.DELETE
                                || it.matches("(Pod|ReplicaSet|Deployment)/.*"))
                    .isEmpty());
  }

  /** The job started from what it must, or has failed over since, to a checkpoint of its own. */
  private void verifyRestored(Counts now) {
    Resource resource = survivor.job().get();
    String restored = survivor.job().flink().restored();
    boolean failedOver =
        disturbed && restored.contains("/" + resource.status("/jobStatus/jobId") + "/chk-");
    if (failedOver) {
      return;
    }
    switch (operation) {
      case DEPLOY, STATELESS -> {
        assertThat(restored).as("restored from").isEmpty();
        assertThat(now.restored()).as("restored: %s", now).isZero();
      }
      case UPGRADE, STABLE_AFTER, ABORT, RESUME, ROLLBACK ->
          assertThat(restored).as("restored from").contains("/savepoint-");
      case REDEPLOY ->
          assertThat(restored)
              .as("restored from")
              .endsWith(survivor.chosen().replaceFirst("/$", "").replaceFirst(".*/", "/"));
      case LAST_STATE ->
          assertThat(restored)
              .as("restored from")
              .matches(disturbed ? ".*/(chk|savepoint)-.*" : ".*/chk-.*");
      case RECOVER -> assertThat(restored).as("restored from").contains("/chk-");
      case SUSPEND, DELETE -> throw new IllegalStateException(operation + " restores nothing");
    }
  }

  private void verifySavepoints(Job job) {
    List<Path> taken = new ArrayList<>(job.savepoints());
    taken.removeAll(savepoints);
    int expected =
        switch (operation) {
          case UPGRADE, STABLE_AFTER, REDEPLOY, SUSPEND -> 1;
          default -> 0;
        };
    if (disturbed) {
      // one that failed, or that nobody heard of, is taken again
      assertThat(taken.size()).as("savepoints: %s", taken).isBetween(0, expected + 2);
    } else {
      assertThat(taken).as("savepoints").hasSize(expected);
    }
  }

  /** One JobManager, one TaskManager, and no high-availability metadata of another job. */
  private static void verifyOneCluster(List<String> objects, String job) {
    assertThat(objects).as("Deployments").filteredOn(it -> it.startsWith("Deployment/")).hasSize(1);
    assertThat(objects).as("ReplicaSets").filteredOn(it -> it.startsWith("ReplicaSet/")).hasSize(1);
    assertThat(objects).as("pods").filteredOn(it -> it.startsWith("Pod/")).hasSize(2);
    assertThat(objects)
        .as("metadata of jobs")
        .filteredOn(it -> it.matches("ConfigMap/.*[0-9a-f]{32}.*"))
        .allMatch(it -> it.contains(job));
  }

  @Override
  public void close() {
    if (watch != null) {
      watch.close();
    }
  }
}
