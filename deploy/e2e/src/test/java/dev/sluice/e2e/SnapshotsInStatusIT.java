package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.HeldSnapshots;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.PeriodicRuns;
import dev.sluice.e2e.job.Resource;
import dev.sluice.e2e.job.SnapshotOfJob;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
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
 * A job whose snapshots get no FlinkStateSnapshot, as in the legacy mode of Apache's operator: see
 * docs/snapshots.md. All of it on one job.
 */
@Tag("e2e")
@Isolated("it kills the worker")
@OnTestCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SnapshotsInStatusIT {

  private static final String OPERATOR = "kubernetes.operator.";
  private static final String SAVEPOINTS = "/jobStatus/savepointInfo/";
  private static final String CHECKPOINTS = "/jobStatus/checkpointInfo/";

  private Job job;
  private HeldSnapshots held;
  private Manifest manifest;

  @BeforeAll
  void deploy(Scene scene) {
    job = scene.job("legacy");
    held = new HeldSnapshots(scene.cluster(), job);
    manifest = held.in(job.manifest()).config(OPERATOR + "snapshot.resource.enabled", "false");
    job.deploy(manifest);
  }

  @AfterEach
  void release() {
    held.release();
  }

  /** Apache's operator takes a second one: the first is an orphan. */
  @Test
  @Order(1)
  void aWorkerKilledWhileASavepointIsTakenLeavesOneSavepoint(Scene scene) {
    // given
    List<Path> before = job.savepoints();
    held.begin(() -> job.apply(manifest.savepointNonce(1)));
    soon(() -> !status(SAVEPOINTS + "triggerId").isEmpty());

    // when
    scene.cluster().kill("worker");
    held.release();
    soon(() -> status(SAVEPOINTS + "lastSavepoint/triggerNonce").equals("1"));

    // then
    Path taken = Path.of(URI.create(status(SAVEPOINTS + "lastSavepoint/location")).getPath());
    assertThat(takenSince(before)).containsExactly(taken);
    assertThat(status("/snapshots/savepoint/status/failures")).isEqualTo("0");
    assertThat(status("/snapshots/savepoint/status/adopted"))
        .as("Flink knows it by its trigger")
        .isEmpty();
    assertThat(status(SAVEPOINTS + "triggerId")).isEmpty();
    assertThat(snapshots(scene)).isEmpty();
  }

  @Test
  @Order(2)
  void aCheckpointOfANonceAndPeriodicSavepointsAreToldInTheStatus(Scene scene) {
    // given
    List<Path> before = job.savepoints();

    // when
    job.apply(
        manifest
            .savepointNonce(1)
            .checkpointNonce(1)
            .config(OPERATOR + "periodic.savepoint.interval", "2 s"));
    soon(() -> status(CHECKPOINTS + "lastCheckpoint/triggerNonce").equals("1"));
    soon(() -> takenSince(before).size() >= 2);
    job.apply(manifest.savepointNonce(1).checkpointNonce(1));
    PeriodicRuns runs = new PeriodicRuns(scene.cluster(), job);
    soon(() -> job.get().isReady() && !runs.isScheduled() && !runs.isOpen());
    // what the last run has asked for
    soon(() -> status("/snapshots/savepoint/status/state").equals("COMPLETED"));

    // then
    assertThat(status(SAVEPOINTS + "lastSavepoint/triggerType")).isEqualTo("PERIODIC");
    // files that are too many for the history go after the savepoint that made them so
    soon(() -> history().size() == job.savepoints().size());
    assertThat(history())
        .as("none twice, none lost")
        .containsExactlyInAnyOrderElementsOf(job.savepoints());
    assertThat(snapshots(scene)).isEmpty();
  }

  /** Its files are found by the trigger, also when nobody waited for them. */
  @Test
  @Order(3)
  void anAbandonedSavepointThatFlinkCompletesAllTheSameIsDisposedOf() {
    // given
    List<Path> before = job.savepoints();
    SnapshotOfJob abandoned = held.begin("abandoned");
    abandoned.annotate("sluice.dev/abort", "1");
    abandoned.await("ABANDONED");
    held.release();
    soon(() -> takenSince(before).size() == 1);

    // when
    abandoned.delete();

    // then
    assertThat(takenSince(before)).isEmpty();
    assertThat(abandoned.awaitEvents("Cleanup")).singleElement().asString().contains("is deleted");
  }

  @Test
  @Order(4)
  void oneThatWaitsForItsNextAttemptGoesAtOnce(Scene scene) {
    // given
    List<Path> before = job.savepoints();
    SnapshotOfJob pending =
        new SnapshotOfJob(scene.cluster(), job, "pending")
            .apply("savepoint: {path: 'file:/proc/nowhere'}");
    soon(
        () -> {
          Resource now = pending.get();
          return now.status("/failures").matches("[1-9].*")
              && now.status("/state").equals("TRIGGER_PENDING");
        });

    // when
    pending.delete();

    // then
    assertThat(pending.find()).isEmpty();
    assertThat(pending.events("CleanupFailed")).isEmpty();
    assertThat(takenSince(before)).isEmpty();
    Resource unused = job.awaitReady();
  }

  private String status(String pointer) {
    return job.get().status(pointer);
  }

  private List<Path> history() {
    List<Path> history = new ArrayList<>();
    job.get()
        .json()
        .at("/status" + SAVEPOINTS + "savepointHistory")
        .forEach(it -> history.add(Path.of(URI.create(it.at("/location").asText()).getPath())));
    return history;
  }

  private List<Path> takenSince(List<Path> before) {
    List<Path> taken = new ArrayList<>(job.savepoints());
    taken.removeAll(before);
    return taken;
  }

  private String snapshots(Scene scene) {
    return scene
        .cluster()
        .kubectl()
        .run("get", "flinksnp", "-n", job.namespace(), "-o", "jsonpath={.items[*].metadata.name}")
        .trim();
  }

  private static void soon(Callable<Boolean> condition) {
    await().pollInterval(Duration.ofMillis(200)).until(condition);
  }
}
