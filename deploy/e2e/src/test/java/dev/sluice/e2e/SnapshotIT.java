package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.e2e.breakpoint.Breakpoint;
import dev.sluice.e2e.breakpoint.Breakpoint.Moment;
import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Resource;
import dev.sluice.e2e.job.SnapshotOfJob;
import dev.sluice.local.demo.Counts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** FlinkStateSnapshots: see docs/snapshots.md. */
@Order(Integer.MAX_VALUE - 4)
@OnTestCluster
class SnapshotIT {

  @Test
  void aSavepointIsTakenRestoredFromAndDisposedOf(Scene scene) {
    // given
    Job job = scene.runningJob("snapped");
    Counts before = job.counts();

    // when
    SnapshotOfJob savepoint =
        new SnapshotOfJob(scene.cluster(), job, "kept").apply("savepoint: {}");
    SnapshotOfJob checkpoint =
        new SnapshotOfJob(scene.cluster(), job, "now").apply("checkpoint: {}");
    Resource taken = savepoint.await("COMPLETED");
    checkpoint.await("COMPLETED");

    // then
    assertThat(savepoint.isOnDisk()).isTrue();
    // Flink deletes it as soon as it has a newer one
    assertThat(checkpoint.path().toString()).contains("/chk-");
    assertThat(taken.status("/failures")).isEqualTo("0");
    assertThat(taken.status("/jobId")).isEqualTo(job.get().status("/jobStatus/jobId"));
    assertThat(taken.operation()).isEqualTo("Snapshot Succeeded RecordSnapshot");
    assertThat(job.get().isReady()).isTrue();

    // when
    Job restored = scene.job("restored");
    restored.deploy(restored.manifest().initialSnapshot("kept"));

    // then
    assertThat(restored.counts().restored()).isGreaterThanOrEqualTo(before.total());
    assertThat(restored.counts().exact()).isTrue();
    assertThat(restored.get().status("/reconciliationStatus/lastReconciledSpec"))
        .contains(savepoint.path().getFileName().toString());

    // when
    restored.discard();
    restored.awaitGone();
    Path files = savepoint.path();
    savepoint.delete();
    checkpoint.delete();

    // then
    assertThat(files).doesNotExist();
    assertThat(savepoint.find()).isEmpty();
    assertThat(checkpoint.find()).isEmpty();
    scene.leave(job);
  }

  /** Apache's operator takes a second one: the first is an orphan. */
  @Test
  void aWorkerKilledBetweenTheSavepointAndItsRecordLeavesOneSavepoint(Scene scene) {
    // given
    Job job = scene.runningJob("survivor");
    List<Path> before = job.savepoints();
    SnapshotOfJob savepoint = new SnapshotOfJob(scene.cluster(), job, "once");
    Breakpoint held = savepoint.hold(Moment.AFTER, "TakeSnapshot");
    savepoint.apply("savepoint: {disposeOnDelete: false}");
    SnapshotOfJob.awaitHeld(held);

    // when
    scene.cluster().kill("worker");
    held.release();
    savepoint.await("COMPLETED");

    // then
    List<Path> taken = new ArrayList<>(job.savepoints());
    taken.removeAll(before);
    assertThat(taken).containsExactly(savepoint.path());
    scene.leave(job);
  }

  @Test
  void aDirectoryThatRefusesEndsAsFailedAfterTheAttemptsThatAreAllowed(Scene scene) {
    // given
    Job job = scene.runningJob("refused");

    // when
    SnapshotOfJob savepoint =
        new SnapshotOfJob(scene.cluster(), job, "never")
            .apply("savepoint: {path: 'file:/proc/nowhere'}\n  backoffLimit: 1");
    Resource failed = savepoint.await("FAILED");

    // then
    assertThat(failed.status("/failures")).isEqualTo("2");
    assertThat(failed.status("/error")).contains("Attempt 2 of 2 failed");
    savepoint.awaitCondition("Stalled");
    assertThat(job.get().isReady()).isTrue();
    savepoint.delete();
    assertThat(savepoint.find()).isEmpty();
    scene.leave(job);
  }
}
