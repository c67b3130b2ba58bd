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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.parallel.Isolated;

/** What befalls a savepoint while Flink takes it: see docs/snapshots.md. All of it on one job. */
@Tag("e2e")
@Isolated("it kills the worker")
@OnTestCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SnapshotInProgressIT {

  private static final String IGNORED = "kubernetes.operator.job.upgrade.ignore-pending-savepoint";

  /** What an upgrade says of a look that does not answer before the savepoint has ended. */
  private static final String WAITS = "Wait until the job settles, at most 60 s";

  /** A snapshot may go by what another one saw of the same FlinkDeployment that long ago. */
  private static final Duration SHARED_LOOK = Duration.ofSeconds(1);

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
    soon(() -> job.get().operation().equals("Upgrade Running Observe"));
    Instant atWork = Instant.now();
    soon(() -> Instant.now().isAfter(atWork.plus(SHARED_LOOK)));
    SnapshotOfJob later = new SnapshotOfJob(scene.cluster(), job, "later").apply("savepoint: {}");
    soon(() -> later.get().status("/state").equals("TRIGGER_PENDING"));
    soon(() -> !later.lane().summaries("AwaitJob").isEmpty());
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
    soon(() -> message(pending).contains("was interrupted (not counted as a failure)"));
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
    assertThat(deleted.awaitEvents("Cleanup")).singleElement().asString().contains("is deleted");
    assertThat(takenSince(before)).isEmpty();
  }

  /** The last one: it ends with the job. */
  @Test
  @Order(6)
  void aSnapshotInAnyStateGoesWhenItsJobIsSuspendedOrGone(Scene scene) {
    // given
    List<Path> before = job.savepoints();
    List<SnapshotOfJob> abandoned = abandoned("one-abandoned", "other-abandoned");
    soon(() -> takenSince(before).size() == 2);
    SnapshotOfJob one = completed(scene, "one");
    SnapshotOfJob other = completed(scene, "other");
    List<Path> left = takenSince(before);
    Doomed ofSuspended = doomed(scene, one, abandoned.get(0));
    Doomed ofGone = doomed(scene, other, abandoned.get(1));

    // when
    Resource suspended = job.deploy(job.applied().upgradeMode("stateless").jobState("suspended"));
    ofSuspended.delete();

    // then
    assertThat(suspended.operation()).isEqualTo("Suspend Succeeded MarkStable");
    ofSuspended.verifyLeft("JobManager of FlinkDeployment");

    // when
    job.discard();
    job.awaitGone();
    ofGone.delete();

    // then
    ofGone.verifyLeft("does not exist");
    assertThat(takenSince(before)).hasSize(4).containsExactlyInAnyOrderElementsOf(left);
  }

  /**
   * One snapshot in each state. Those that are held do not change by themselves.
   *
   * @param files of the completed one
   */
  private record Doomed(
      SnapshotOfJob completed,
      SnapshotOfJob failed,
      SnapshotOfJob abandoned,
      Held inProgress,
      Held pending,
      Path files) {

    /** All at once: what may have been taken is looked for, which takes a while. */
    void delete() {
      inProgress.verify("IN_PROGRESS");
      soon(pending.held()::isReached);
      pending.verify("TRIGGER_PENDING");
      all().forEach(SnapshotOfJob::beginDeletion);
      inProgress.releaseOnceDeletionIsAsked();
      pending.releaseOnceDeletionIsAsked();
      soon(() -> all().allMatch(it -> it.find().isEmpty()));
    }

    private Stream<SnapshotOfJob> all() {
      return Stream.of(completed, failed, abandoned, inProgress.snapshot(), pending.snapshot());
    }

    /** The events of what was, or may have been, taken say so, and why. */
    void verifyLeft(String why) {
      assertThat(completed.awaitEvents("CleanupFailed"))
          .singleElement()
          .asString()
          .contains(files.toString(), " is left: ", why);
      assertThat(abandoned.awaitEvents("CleanupFailed"))
          .singleElement()
          .asString()
          .contains("may remain: ", why, "named savepoint-");
      assertThat(pending.snapshot().events("CleanupFailed")).as("it has taken nothing").isEmpty();
    }
  }

  /** One whose run the worker holds. */
  private record Held(SnapshotOfJob snapshot, Lane lane, Breakpoint held) {

    Held(SnapshotOfJob snapshot, Breakpoint held) {
      this(snapshot, snapshot.lane(), held);
    }

    void verify(String state) {
      assertThat(snapshot.get().status("/state")).isEqualTo(state);
    }

    /** Else what it was about to write would change what there is to delete. */
    void releaseOnceDeletionIsAsked() {
      soon(
          () ->
              lane.newestType().equals("DisposeSnapshot")
                  || lane.progress().path("requests").toString().contains("delete"));
      held.release();
    }
  }

  private Doomed doomed(Scene scene, SnapshotOfJob completed, SnapshotOfJob abandoned) {
    String name = completed.name();
    Held pending = pending(refused(scene, name + "-pending", ""));
    SnapshotOfJob failed = refused(scene, name + "-failed", "backoffLimit: 0");
    failed.await("FAILED");
    SnapshotOfJob inProgress = savepoints.begin(name + "-open");
    Breakpoint held = inProgress.hold(Moment.BEFORE, "RecordSnapshot");
    return new Doomed(
        completed, failed, abandoned, new Held(inProgress, held), pending, completed.path());
  }

  /** It waits for its second attempt, and then for being released. */
  private static Held pending(SnapshotOfJob refused) {
    soon(() -> refused.get().status("/failures").matches("[1-9].*"));
    return new Held(refused, refused.hold(Moment.BEFORE, "AwaitJob"));
  }

  /** They were given up, and Flink has completed them all the same. */
  private List<SnapshotOfJob> abandoned(String... names) {
    List<SnapshotOfJob> begun = Stream.of(names).map(savepoints::begin).toList();
    begun.forEach(it -> it.annotate("sluice.dev/abort", "1"));
    begun.forEach(it -> it.await("ABANDONED"));
    savepoints.release();
    return begun;
  }

  private SnapshotOfJob completed(Scene scene, String name) {
    SnapshotOfJob completed = new SnapshotOfJob(scene.cluster(), job, name).apply("savepoint: {}");
    completed.await("COMPLETED");
    return completed;
  }

  private SnapshotOfJob refused(Scene scene, String name, String limit) {
    return new SnapshotOfJob(scene.cluster(), job, name)
        .apply("savepoint: {path: 'file:/proc/nowhere'}\n  " + limit);
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
