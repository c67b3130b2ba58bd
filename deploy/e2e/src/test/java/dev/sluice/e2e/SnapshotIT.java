package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Resource;
import dev.sluice.e2e.job.SnapshotOfJob;
import dev.sluice.local.demo.Counts;
import java.nio.file.Path;
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
    assertThat(taken.status("/jobId")).isEqualTo(job.get().status("/jobStatus/jobId"));
    assertThat(scene.cluster().kubectl().run("get", "flinksnp", "-n", job.namespace(), "kept"))
        .contains(taken.status("/path"), taken.status("/resultTimestamp"), "COMPLETED");

    // when
    Job restored = scene.job("restored");
    restored.deploy(restored.manifest().initialSnapshot(job.namespace(), "kept"));

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
    nativeOne.delete();
    checkpoint.delete();

    // then
    assertThat(files).doesNotExist();
    assertThat(savepoint.find()).isEmpty();
    assertThat(checkpoint.find()).isEmpty();
  }
}
