package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.e2e.breakpoint.Breakpoint;
import dev.sluice.e2e.breakpoint.Breakpoint.Moment;
import dev.sluice.e2e.cluster.Metrics;
import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.HeldSnapshots;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Lane;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.OneJobWatch;
import dev.sluice.e2e.job.Resource;
import dev.sluice.e2e.job.SnapshotOfJob;
import dev.sluice.local.demo.Counts;
import dev.sluice.testing.Patience;
import io.fabric8.kubernetes.api.model.Pod;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The life of one job on all real parts, from its deployment to its deletion. Each wait names the
 * generation that it is about, so that nothing of an operation before can end it.
 */
@Tag("smoke")
@Isolated("it kills the worker")
@OnTestCluster
class SmokeIT {

  private static final String INTERVAL = "execution.checkpointing.interval";
  private static final String CANCELS =
      "kubernetes.operator.job.upgrade.last-state.job-cancel.enabled";
  private static final String LEASE = "high-availability.kubernetes.leader-election.";

  private Job job;
  private HeldSnapshots savepoints;
  private Manifest first;

  @BeforeEach
  void describe(Scene scene) {
    job = scene.job("orders");
    savepoints = new HeldSnapshots(scene.cluster(), job);
    first = savepoints.in(job.manifest()).config(Manifest.ROUND, "1");
  }

  @AfterEach
  void release() {
    savepoints.release();
  }

  @Test
  @Timeout(value = 15, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aJobIsDeployedUpgradedRolledBackSuspendedResumedAndDeleted(Scene scene) {
    try (OneJobWatch clusters = new OneJobWatch(scene.cluster(), job)) {
      isDeployed();
      anInvalidSpecIsRefused();
      Resource upgraded = isUpgradedThoughTheWorkerIsKilled(scene);
      aSnapshotIsTaken(scene);
      isRolledBack(upgraded);
      isSuspendedAndResumedThoughItsJobManagerIsKilled(scene);
      isDeleted();

      // of the deployment, the upgrade, the rollback and the resumption
      soon().until(() -> clusters.jobManagers().size() >= 4);
      assertThat(clusters.jobManagers()).doesNotHaveDuplicates().hasSize(4);
      assertThat(clusters.checked()).as("looked at with all pods").isNotEmpty();
      assertThat(clusters.problems()).as("clusters side by side").isEmpty();
    }
  }

  private void isDeployed() {
    awaitDone("Deploy", applied(first));

    assertThat(job.counts().restored()).as("starts empty").isZero();
    goesOn();
  }

  private void anInvalidSpecIsRefused() {
    // given
    String jobManager = jobManager();

    // when
    long generation = applied(first.config(INTERVAL, "1 fortnight"));

    // then
    Resource refused = job.await("refused", it -> it.generation() == generation && it.isStalled());
    assertThat(refused.condition("Stalled")).isEqualTo("True InvalidSpec");
    assertThat(refused.message("Stalled")).contains("spec.flinkConfiguration." + INTERVAL);
    goesOn();
    assertThat(jobManager()).as("the same pod").isEqualTo(jobManager);
  }

  /**
   * The savepoint is triggered and not recorded: another worker must find it, not take one more.
   */
  private Resource isUpgradedThoughTheWorkerIsKilled(Scene scene) {
    // given
    Counts before = job.counts();
    savepoints.hold();

    // when
    long generation = applied(first.config(Manifest.ROUND, "2"));
    soon().until(() -> job.flink().savepointsInProgress() == 1);
    scene.cluster().kill("worker");
    savepoints.release();

    // then
    Resource upgraded = awaitDone("Upgrade", generation);
    String savepoint = upgraded.status("/operation/savepoint");
    assertThat(job.flink().configuration(Manifest.ROUND)).isEqualTo("2");
    assertThat(job.flink().restored()).isNotEmpty().isEqualTo(savepoint);
    assertThat(job.savepoints()).containsExactly(path(savepoint));
    assertThat(job.counts().problemSince(before)).isEmpty();
    goesOn();
    return upgraded;
  }

  private void aSnapshotIsTaken(Scene scene) {
    SnapshotOfJob snapshot = new SnapshotOfJob(scene.cluster(), job, "kept").apply("savepoint: {}");

    snapshot.await("COMPLETED");

    assertThat(snapshot.isOnDisk()).as("its _metadata").isTrue();
    assertThat(job.savepoints()).hasSize(2).contains(snapshot.path());
  }

  private void isRolledBack(Resource upgraded) {
    // given
    long restored = job.counts().restored();

    // when
    job.annotate("sluice.dev/rollback", "wrong totals");

    // then
    job.await(
        "rolled back",
        it ->
            it.operation().equals("Rollback Succeeded MarkStable")
                && it.status("/operation/targetGeneration").equals("1")
                && it.status("/lifecycleState").equals("ROLLED_BACK"));
    assertThat(job.flink().configuration(Manifest.ROUND)).isEqualTo("1");
    assertThat(job.flink().restored()).isEqualTo(upgraded.status("/operation/savepoint"));
    assertThat(job.counts().restored()).as("the state before the upgrade").isEqualTo(restored);
    goesOn();
  }

  /** All of them, while an operation is open. */
  private void hasTheMetricsOfItsAlertsDashboardAndPage(Scene scene) {
    soon()
        .untilAsserted(() -> assertThat(Metrics.of(scene.cluster())).containsAll(Metrics.named()));
  }

  /** Nothing but its high-availability metadata tells how far it had come. */
  private void isSuspendedAndResumedThoughItsJobManagerIsKilled(Scene scene) {
    // given
    job.await("a checkpoint of its own", it -> job.flink().hasNewestCheckpoint());
    String id = job.get().status("/jobStatus/jobId");
    List<Path> taken = job.savepoints();
    Manifest lastState =
        first
            .upgradeMode("last-state")
            .config(CANCELS, "false")
            .config(Manifest.ROUND, "3")
            // the killed JobManager has not given its lease back
            .config(LEASE + "lease-duration", "15 s")
            .config(LEASE + "renew-deadline", "15 s");
    Breakpoint deleting = job.hold(Moment.BEFORE, "DeleteCluster");

    // when
    long suspending = applied(lastState.jobState("suspended"));
    job.awaitHeld(deleting);
    hasTheMetricsOfItsAlertsDashboardAndPage(scene);
    job.flink().killJobManager();
    deleting.release();

    // then
    Resource suspended = awaitDone("Suspend", suspending);
    assertThat(suspended.status("/recordedState/type")).isEqualTo("HaMetadata");
    soon().untilAsserted(() -> assertThat(job.flink().pods()).isEmpty());

    // when
    Resource resumed = awaitDone("Resume", applied(lastState.jobState("running")));

    // then
    assertThat(resumed.status("/jobStatus/jobId")).as("the same job").isEqualTo(id);
    assertThat(job.flink().configuration(Manifest.ROUND)).isEqualTo("3");
    assertThat(job.flink().restored()).contains("/" + id + "/chk-");
    assertThat(job.counts().restored()).isPositive();
    assertThat(job.savepoints()).isEqualTo(taken);
    goesOn();
  }

  private void isDeleted() {
    Lane lane = job.lane();

    job.discard();

    job.awaitGone();
    soon().untilAsserted(() -> assertThat(job.flink().objects()).isEmpty());
    soon().until(() -> lane.newestOperation().equals("Delete") && !lane.isOpen());
  }

  /** Applies a spec; its generation. */
  private long applied(Manifest spec) {
    job.apply(spec);
    return job.get().generation();
  }

  private Resource awaitDone(String operation, long generation) {
    return job.await(
        "done with %s to generation %d".formatted(operation, generation),
        it ->
            it.isReady()
                && it.generation() == generation
                && it.status("/operation/targetGeneration").equals(Long.toString(generation))
                && it.operation().equals(operation + " Succeeded MarkStable"));
  }

  /** It does not only run, it works, and has lost or doubled no element. */
  private void goesOn() {
    Counts before = job.counts();
    Counts after = soon().until(job::counts, it -> it.total() > before.total());
    assertThat(after.exact()).as("no element lost or doubled: %s", after).isTrue();
  }

  private String jobManager() {
    Pod pod = job.flink().jobManager().orElseThrow();
    return pod.getMetadata().getUid()
        + " restarted "
        + pod.getStatus().getContainerStatuses().get(0).getRestartCount();
  }

  private static Path path(String savepoint) {
    return Path.of(URI.create(savepoint).getPath());
  }

  private static ConditionFactory soon() {
    return await()
        .atMost(Patience.times(2))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(200))
        .ignoreExceptions();
  }
}
