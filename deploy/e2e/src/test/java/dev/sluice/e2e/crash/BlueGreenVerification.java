package dev.sluice.e2e.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.FlinkJob;
import dev.sluice.e2e.job.JobsWatch;
import dev.sluice.e2e.job.JobsWatch.Life;
import dev.sluice.e2e.job.Lane;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.local.demo.Counts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What must hold after an operation on a FlinkBlueGreenDeployment, whatever was killed meanwhile.
 */
final class BlueGreenVerification implements Verification {

  private final Scene scene;
  private final BlueGreenSurvivor survivor;
  private final BlueGreenOperation operation;
  private final boolean disturbed;
  private List<Path> savepoints = List.of();
  private String oldJob = "";
  private @Nullable JobsWatch watch;
  private @Nullable Lane lane;

  /**
   * @param disturbed a job may have failed over meanwhile, and a savepoint may have failed
   */
  BlueGreenVerification(
      Scene scene, BlueGreenSurvivor survivor, BlueGreenOperation operation, boolean disturbed) {
    this.scene = scene;
    this.survivor = survivor;
    this.operation = operation;
    this.disturbed = disturbed;
  }

  @Override
  public void begin() {
    savepoints = onDisk();
    watch =
        JobsWatch.of(
            scene.cluster(),
            scene.namespace(),
            List.of(survivor.live().job(), survivor.other().job()));
    lane = survivor.parent().lane();
    oldJob = survivor.live().jobId();
  }

  @Override
  public void verify() {
    await("the workflow run is closed").until(() -> !begun(lane).isOpen());
    boolean aborts = operation.aborts();
    Child live = aborts ? survivor.live() : survivor.other();
    Child other = aborts ? survivor.other() : survivor.live();
    verifyGone(other);
    verifyOneJob(live, aborts ? survivor.round() : survivor.newestRound());
    verifyCounts(live);
    verifyJobsBesideEachOther(live);
    verifySavepoints();
    survivor.ended(operation);
  }

  private static <T> T begun(@Nullable T what) {
    if (what == null) {
      throw new IllegalStateException("begin first");
    }
    return what;
  }

  /** Nothing is left of it; where an aborted transition keeps it, no pod is. */
  private void verifyGone(Child other) {
    boolean kept = operation == BlueGreenOperation.ABORT;
    await(other.color() + " is gone")
        .pollInterval(Duration.ofMillis(500))
        .untilAsserted(
            () -> {
              assertThat(other.isGone()).as("no resource").isEqualTo(!kept);
              assertThat(other.flink().objects())
                  .filteredOn(it -> !kept || it.matches("(Pod|ReplicaSet|Deployment)/.*"))
                  .isEmpty();
            });
  }

  /** One job, one JobManager, no pod and no high-availability metadata of another one. */
  private static void verifyOneJob(Child live, String round) {
    await("one job on one cluster")
        .pollInterval(Duration.ofMillis(500))
        .untilAsserted(
            () -> {
              String id = live.jobId();
              assertThat(live.flink().overview())
                  .filteredOn(FlinkJob::isAlive)
                  .extracting(it -> it.id() + " " + it.state())
                  .containsExactly(id + " RUNNING");
              Verification.verifyOneCluster(live.flink().objects(), id);
            });
    assertThat(live.flink().configuration(Manifest.ROUND))
        .as("the spec that runs")
        .isEqualTo(round);
  }

  private void verifyCounts(Child live) {
    Counts before = begun(survivor.counted());
    Counts now = await("counts that go on").until(live::counts, it -> it.total() > before.total());
    assertThat(now.exact()).as("no element lost or doubled: %s", now).isTrue();
    if (operation == BlueGreenOperation.ABORT) {
      assertThat(live.jobId()).as("the live job is left alone").isEqualTo(oldJob);
    } else if (!disturbed) {
      assertThat(now.problemSince(before)).isEmpty();
    }
  }

  /** The old one goes on until the new one is live; and never two of one child. */
  private void verifyJobsBesideEachOther(Child live) {
    JobsWatch seen = begun(watch);
    assertThat(seen.sideBySideOnOneCluster()).as("jobs of one child side by side").isEmpty();
    if (operation == BlueGreenOperation.TRANSITION) {
      Life old = life(seen, oldJob);
      Life next = life(seen, live.jobId());
      assertThat(old.meets(next)).as("%s goes on until %s is live", old, next).isTrue();
    }
  }

  private static Life life(JobsWatch seen, String job) {
    return seen.lives().stream()
        .filter(it -> it.id().equals(job))
        .findFirst()
        .orElseThrow(() -> new AssertionError("job %s was not seen".formatted(job)));
  }

  private List<Path> onDisk() {
    List<Path> all = new ArrayList<>(survivor.live().job().savepoints());
    all.addAll(survivor.other().job().savepoints());
    return all;
  }

  private void verifySavepoints() {
    List<Path> taken = onDisk();
    taken.removeAll(savepoints);
    Verification.verifySavepoints(taken, operation.aborts() ? 0 : 1, disturbed);
  }

  @Override
  public void close() {
    if (watch != null) {
      watch.close();
    }
  }
}
