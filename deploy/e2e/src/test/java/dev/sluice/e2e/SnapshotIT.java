package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.HeldSnapshots;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Resource;
import dev.sluice.e2e.job.SnapshotOfJob;
import dev.sluice.local.demo.Counts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** FlinkStateSnapshots: see docs/snapshots.md. */
@Tag("e2e")
@OnTestCluster
class SnapshotIT {

  @Test
  void aSavepointIsTakenRestoredFromAndDisposedOf(Scene scene) {
    // given
    Job job = scene.deployed("snapped");
    Counts before = job.counts();

    // when
    SnapshotOfJob savepoint =
        new SnapshotOfJob(scene.cluster(), job, "kept").apply("savepoint: {}");
    SnapshotOfJob nativeOne =
        new SnapshotOfJob(scene.cluster(), job, "native").apply("savepoint: {formatType: NATIVE}");
    SnapshotOfJob checkpoint =
        new SnapshotOfJob(scene.cluster(), job, "now").apply("checkpoint: {}");
    Resource taken = savepoint.await("COMPLETED");
    nativeOne.await("COMPLETED");
    checkpoint.await("COMPLETED");

    // then
    assertThat(savepoint.isWrittenAs("CANONICAL")).isTrue();
    assertThat(nativeOne.isWrittenAs("NATIVE")).isTrue();
    // Flink deletes it as soon as it has a newer one, but tells of the last ten
    assertThat(checkpoint.get().status("/path")).matches("file:.*/chk-\\d+");
    assertThat(taken.status("/failures")).isEqualTo("0");
    assertThat(taken.status("/jobId")).isEqualTo(job.get().status("/jobStatus/jobId"));
    assertThat(taken.operation()).isEqualTo("Snapshot Succeeded RecordSnapshot");
    assertThat(scene.cluster().kubectl().run("get", "flinksnp", "-n", job.namespace(), "kept"))
        .contains(taken.status("/path"), taken.status("/resultTimestamp"), "COMPLETED");
    Resource unused = job.awaitReady();

    // when
    Job restored = scene.job("restored");
    HeldSnapshots held = new HeldSnapshots(scene.cluster(), restored);
    restored.deploy(
        held.in(restored.manifest().quickFailover().initialSnapshot(job.namespace(), "kept"))
            .config("high-availability.type", "none"));

    // then
    assertThat(restored.counts().restored()).isGreaterThanOrEqualTo(before.total());
    assertThat(restored.counts().exact()).isTrue();
    assertThat(restored.get().status("/reconciliationStatus/lastReconciledSpec"))
        .contains(savepoint.path().getFileName().toString());

    // when
    SnapshotOfJob lost = held.begin("lost", "savepoint: {}\n  backoffLimit: 0");
    restored.flink().killJobManager();
    held.release();
    Resource failed = lost.await("FAILED");

    // then
    assertThat(failed.status("/error"))
        .contains(
            "Attempt 1 of 1 failed: the JobManager was restarted",
            "if it was completed, it is in file://" + restored.state().resolve("savepoints"));
    assertThat(restored.savepoints()).isEmpty();
    restored.discard();
    restored.awaitGone();

    // when
    Path files = savepoint.path();
    savepoint.delete();
    nativeOne.delete();
    checkpoint.delete();

    // then
    assertThat(files).doesNotExist();
    assertThat(savepoint.find()).isEmpty();
    assertThat(checkpoint.find()).isEmpty();
  }

  /**
   * Each attempt is a step of its own in Temporal, and counted in the status. A pause of 20 s is
   * ended by hand: no worker may be away for most of it.
   */
  @Test
  void aDirectoryThatRefusesIsTriedAsOftenAsIsAllowed(Scene scene) throws IOException {
    // given
    Job job = scene.deployed("refused");
    Path file = job.state().resolve("not-a-directory");
    Files.writeString(file, "");
    Path removed = job.state().resolve("no-directory-yet");
    Files.writeString(removed, "");

    // when
    SnapshotOfJob once = refused(scene, job, "once", file, 0);
    SnapshotOfJob thrice = refused(scene, job, "thrice", file, 2);
    SnapshotOfJob always = refused(scene, job, "always", removed, -1);
    failedTwice(thrice).annotate("sluice.dev/retry", "1");
    failedTwice(always);
    Files.delete(removed);
    always.annotate("sluice.dev/retry", "1");
    once.await("FAILED");
    thrice.await("FAILED");
    always.await("COMPLETED");

    // then
    String what = "savepoint of FlinkDeployment %s/%s".formatted(job.namespace(), job.name());
    assertThat(once.get().status("/failures")).isEqualTo("1");
    assertThat(once.get().status("/error")).contains("Attempt 1 of 1 failed");
    assertThat(once.lane().summaries("TakeSnapshot")).containsExactly("Attempt 1 of 1: " + what);
    assertThat(thrice.get().status("/failures")).isEqualTo("3");
    assertThat(thrice.get().status("/error")).contains("Attempt 3 of 3 failed");
    assertThat(thrice.lane().summaries("TakeSnapshot"))
        .containsExactly(
            "Attempt 1 of 3: " + what, "Attempt 2 of 3: " + what, "Attempt 3 of 3: " + what);
    assertThat(thrice.lane().pausesThatPassed()).containsExactly(Duration.ofSeconds(10));
    assertThat(always.lane().pausesThatPassed()).containsExactly(Duration.ofSeconds(10));
    assertThat(always.get().status("/failures")).isEqualTo("2");
    assertThat(always.get().status("/error")).isEmpty();
    assertThat(always.lane().summaries("TakeSnapshot"))
        .containsExactly("Attempt 1: " + what, "Attempt 2: " + what, "Attempt 3: " + what);
    assertThat(always.isOnDisk()).isTrue();
    thrice.awaitCondition("Stalled");
    Resource unused = job.awaitReady();
    thrice.delete();
    always.delete();
    assertThat(thrice.find()).isEmpty();
  }

  private static SnapshotOfJob refused(
      Scene scene, Job job, String name, Path directory, int limit) {
    return new SnapshotOfJob(scene.cluster(), job, name)
        .apply("savepoint: {path: '%s'}\n  backoffLimit: %d".formatted(directory.toUri(), limit));
  }

  private static SnapshotOfJob failedTwice(SnapshotOfJob snapshot) {
    await()
        .pollInterval(Duration.ofMillis(200))
        .until(() -> snapshot.get().status("/failures").equals("2"));
    return snapshot;
  }
}
