package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.HeldSnapshots;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Lane;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.Resource;
import dev.sluice.e2e.job.SnapshotOfJob;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** What befalls a savepoint while Flink takes it: see docs/snapshots.md. Each test has its job. */
@Tag("e2e")
@Isolated("it kills the worker")
@OnTestCluster
class SnapshotInProgressIT {

  /** What an upgrade says of a look that does not answer before the savepoint has ended. */
  private static final String WAITS = "Wait until the job settles, at most 60 s";

  private Job job;
  private HeldSnapshots savepoints;

  @BeforeEach
  void deploy(Scene scene) {
    job = scene.job("held");
    savepoints = new HeldSnapshots(scene.cluster(), job);
    job.deploy(savepoints.in(job.manifest().quickFailover()));
  }

  @AfterEach
  void release() {
    savepoints.release();
  }

  /** Apache's operator takes a second one: the first is an orphan. */
  @Test
  void aWorkerKilledBetweenTheTriggerAndTheRecordLeavesOneSavepoint(Scene scene) {
    // given
    SnapshotOfJob savepoint = savepoints.begin("once");

    // when
    scene.cluster().kill("worker");
    savepoints.release();
    Resource unused = savepoint.await("COMPLETED");

    // then
    assertThat(job.savepoints()).containsExactly(savepoint.path());
  }

  /** Apache's operator kills the savepoint. */
  @Test
  void anUpgradeWaitsForIt() {
    // given
    String old = job.get().status("/jobStatus/jobId");
    SnapshotOfJob pending = savepoints.begin("pending");

    // when
    job.apply(job.applied().config(Manifest.ROUND, "2"));
    soon(() -> upgradeSteps("Observe").contains(WAITS));
    savepoints.release();

    // then
    Resource first = pending.await("COMPLETED");
    assertThat(first.status("/jobId")).isEqualTo(old);
    Resource upgraded = job.awaitReady();
    assertThat(upgraded.operation()).isEqualTo("Upgrade Succeeded MarkStable");
    List<Path> ofUpgrade = new ArrayList<>(job.savepoints());
    ofUpgrade.remove(pending.path());
    assertThat(ofUpgrade)
        .containsExactly(Path.of(URI.create(upgraded.status("/operation/savepoint")).getPath()));
  }

  private List<String> upgradeSteps(String step) {
    Lane lane = job.lane();
    return lane.newestOperation().equals("Upgrade") ? lane.summaries(step) : List.of();
  }

  private static void soon(Callable<Boolean> condition) {
    await().pollInterval(Duration.ofMillis(200)).until(condition);
  }
}
