package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.e2e.breakpoint.Breakpoint;
import dev.sluice.e2e.breakpoint.Breakpoint.Moment;
import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.HeldSnapshots;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Lane;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.Resource;
import dev.sluice.e2e.job.SnapshotOfJob;
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

/** What befalls a savepoint while Flink takes it: see docs/snapshots.md. All of it on one job. */
@Tag("e2e")
@OnTestCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SnapshotInProgressIT {

  private static final String IGNORED = "kubernetes.operator.job.upgrade.ignore-pending-savepoint";

  /** What an upgrade says of a look that does not answer before the savepoint has ended. */
  private static final String WAITS = "Wait until the job settles, at most 60 s";

  private Job job;
  private HeldSnapshots savepoints;

  @BeforeAll
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
  @Order(1)
  void aWorkerKilledBetweenTheTriggerAndTheRecordLeavesOneSavepoint(Scene scene) {
    // given
    List<Path> before = job.savepoints();
    SnapshotOfJob savepoint = savepoints.begin("once");

    // when
    scene.cluster().kill("worker");
    savepoints.release();
    Resource taken = savepoint.await("COMPLETED");

    // then
    assertThat(takenSince(before)).containsExactly(savepoint.path());
    assertThat(taken.status("/failures")).isEqualTo("0");
    assertThat(taken.status("/adopted")).as("Flink knows it by its trigger").isEmpty();
  }

  @Test
  @Order(2)
  void w4AJobManagerKilledMeanwhileIsAFailedAttemptAndLeavesOneSavepoint() {
    // given
    List<Path> before = job.savepoints();
    SnapshotOfJob savepoint = savepoints.begin("twice");

    // when
    job.flink().killJobManager();
    savepoints.release();
    Resource taken = savepoint.await("COMPLETED");

    // then
    assertThat(taken.status("/failures")).isEqualTo("1");
    assertThat(savepoint.events("SnapshotError"))
        .singleElement()
        .asString()
        .contains(
            "the JobManager was restarted while the savepoint was being taken",
            "if it was completed, it is in file://" + job.state().resolve("savepoints"));
    assertThat(savepoint.lane().summaries("TakeSnapshot")).hasSize(2);
    assertThat(takenSince(before)).containsExactly(savepoint.path());
    assertThat(job.counts().exact()).isTrue();
  }

  /** Apache's operator kills the savepoint, and takes none during the upgrade. */
  @Test
  @Order(3)
  void anUpgradeWaitsForItAndOneThatIsAskedForMeanwhileWaitsForTheUpgrade(Scene scene) {
    // given
    List<Path> before = job.savepoints();
    String old = job.get().status("/jobStatus/jobId");
    SnapshotOfJob pending = savepoints.begin("pending");

    // when
    job.apply(job.applied().config(Manifest.ROUND, "2"));
    soon(() -> upgradeSteps("Observe").contains(WAITS));
    assertThat(job.get().operation()).isEqualTo("Upgrade Running Observe");
    SnapshotOfJob later = new SnapshotOfJob(scene.cluster(), job, "later").apply("savepoint: {}");
    soon(() -> later.get().status("/state").equals("TRIGGER_PENDING"));
    soon(() -> later.lane().summaries("AwaitJob").size() == 1);
    assertThat(later.lane().summaries("TakeSnapshot")).isEmpty();
    savepoints.release();

    // then
    Resource first = pending.await("COMPLETED");
    assertThat(first.status("/jobId")).isEqualTo(old);
    assertThat(first.status("/failures")).isEqualTo("0");
    Resource upgraded = job.awaitReady();
    assertThat(upgraded.operation()).isEqualTo("Upgrade Succeeded MarkStable");
    assertThat(upgradeSteps("StopWithSavepoint")).hasSize(1);
    Resource second = later.await("COMPLETED");
    assertThat(second.status("/jobId")).isEqualTo(upgraded.status("/jobStatus/jobId"));
    assertThat(second.status("/failures")).isEqualTo("0");
    assertThat(upgraded.status("/operation/savepoint"))
        .as("taken by the upgrade itself")
        .isNotEqualTo(first.status("/path"));
    assertThat(takenSince(before)).as("these two, and that of the upgrade").hasSize(3);
  }

  @Test
  @Order(4)
  void anUpgradeThatIsToldToIgnoreItStopsTheJobAndTheNewOneIsTaken() {
    // given
    List<Path> before = job.savepoints();
    String old = job.get().status("/jobStatus/jobId");
    SnapshotOfJob pending = savepoints.begin("ignored");

    // when
    job.apply(job.applied().config(IGNORED, "true").config(Manifest.ROUND, "3"));
    soon(() -> message(pending).contains("was interrupted, which is not counted"));
    savepoints.release();

    // then
    assertThat(upgradeSteps("Observe")).isNotEmpty().doesNotContain(WAITS);
    String running = job.awaitReady().status("/jobStatus/jobId");
    assertThat(running).isNotEqualTo(old);
    Resource taken = pending.await("COMPLETED");
    assertThat(taken.status("/jobId")).isEqualTo(running);
    assertThat(taken.status("/failures")).isEqualTo("0");
    assertThat(takenSince(before)).as("this one, and that of the upgrade").hasSize(2);
  }

  @Test
  @Order(5)
  void aDeletionWaitsForItAndDisposesOfIt() {
    // given
    List<Path> before = job.savepoints();
    SnapshotOfJob deleted = savepoints.begin("deleted");
    Lane lane = deleted.lane();

    // when
    deleted.beginDeletion();
    soon(() -> lane.newestType().equals("DisposeSnapshot"));
    soon(() -> lane.summaries("TakeSnapshot").size() == 1);
    savepoints.release();
    soon(() -> deleted.find().isEmpty());

    // then
    assertThat(deleted.events("Cleanup")).singleElement().asString().contains("is disposed of");
    assertThat(takenSince(before)).isEmpty();
  }

  /** The last one: it ends with the job. */
  @Test
  @Order(6)
  void aSnapshotInAnyStateGoesWhenItsJobIsSuspendedOrGone(Scene scene) {
    // given
    List<Path> before = job.savepoints();
    SnapshotOfJob one = completed(scene, "one");
    SnapshotOfJob other = completed(scene, "other");
    Doomed ofSuspended = doomed(one, failed(scene, "one-failed"));
    Doomed ofGone = doomed(other, failed(scene, "other-failed"));
    List<Path> left = List.of(one.path(), other.path());

    // when
    Resource suspended = job.deploy(job.applied().upgradeMode("stateless").jobState("suspended"));
    ofSuspended.delete();

    // then
    assertThat(suspended.operation()).isEqualTo("Suspend Succeeded MarkStable");
    assertThat(one.events("CleanupFailed"))
        .singleElement()
        .asString()
        .contains(left.get(0).toString(), " is left: ");

    // when
    job.discard();
    job.awaitGone();
    ofGone.delete();

    // then
    assertThat(other.events("CleanupFailed"))
        .singleElement()
        .asString()
        .contains(left.get(1).toString(), " is left: ", "does not exist");
    assertThat(takenSince(before)).containsExactlyInAnyOrderElementsOf(left);
  }

  /** One snapshot in each state. That of the one in progress does not change by itself. */
  private record Doomed(
      SnapshotOfJob completed, SnapshotOfJob failed, SnapshotOfJob inProgress, Breakpoint held) {

    void delete() {
      assertThat(inProgress.get().status("/state")).isEqualTo("IN_PROGRESS");
      inProgress.beginDeletion();
      held.release();
      soon(() -> inProgress.find().isEmpty());
      completed.delete();
      failed.delete();
    }
  }

  private Doomed doomed(SnapshotOfJob completed, SnapshotOfJob failed) {
    SnapshotOfJob inProgress = savepoints.begin(completed.name() + "-open");
    Breakpoint held = inProgress.hold(Moment.BEFORE, "RecordSnapshot");
    return new Doomed(completed, failed, inProgress, held);
  }

  private SnapshotOfJob completed(Scene scene, String name) {
    SnapshotOfJob completed = new SnapshotOfJob(scene.cluster(), job, name).apply("savepoint: {}");
    completed.await("COMPLETED");
    return completed;
  }

  private SnapshotOfJob failed(Scene scene, String name) {
    SnapshotOfJob failed =
        new SnapshotOfJob(scene.cluster(), job, name)
            .apply("savepoint: {path: 'file:/proc/nowhere'}\n  backoffLimit: 0");
    failed.await("FAILED");
    return failed;
  }

  private List<Path> takenSince(List<Path> before) {
    List<Path> taken = new ArrayList<>(job.savepoints());
    taken.removeAll(before);
    return taken;
  }

  private List<String> upgradeSteps(String step) {
    Lane lane = job.lane();
    return lane.newestType().equals("Upgrade") ? lane.summaries(step) : List.of();
  }

  private static String message(SnapshotOfJob snapshot) {
    return snapshot.get().status("/operation/message");
  }

  private static void soon(Callable<Boolean> condition) {
    await().pollInterval(Duration.ofMillis(200)).until(condition);
  }
}
