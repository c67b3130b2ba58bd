package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.e2e.breakpoint.Breakpoint;
import dev.sluice.e2e.breakpoint.Breakpoint.Moment;
import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.ExactUpgrade;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Lane;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.Resource;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The table of docs/operations.md for Suspend, Resume, Rollback and Recover on real parts: each is
 * held before a step, something is asked for, and the step goes on. {@link RequestsAtStepsIT} has
 * the upgrades.
 */
@Tag("e2e")
@OnTestCluster
class RequestsToOtherOperationsIT {

  private Job job;
  private int specs;

  @BeforeEach
  void deploy(Scene scene) {
    job = scene.job("others");
    job.deploy(newer());
  }

  @Test
  void aSuspensionThatIsAbortedBeforeTheStopLeavesTheJobUntouched(Scene scene) {
    // given
    List<String> jobs = job.flink().jobs();
    try (ExactUpgrade suspension = ExactUpgrade.begin(scene.cluster(), job)) {
      Breakpoint held = job.hold(Moment.BEFORE, "FreezeTarget");
      job.apply(newer().jobState("suspended"));
      job.awaitHeld(held);

      // when
      job.request("sluice.dev/abort", "abort");
      held.release();

      // then
      Lane lane = job.lane();
      job.await("aborted", it -> it.operation().startsWith("Suspend Aborted") && !lane.isOpen());
      assertThat(job.flink().jobs()).isEqualTo(jobs);
      assertThat(suspension.goesOn().exact()).isTrue();
      suspension.verifySavepoints(0);
      suspension.verifyOneCluster(1);
    }
  }

  @Test
  void aSuspensionThatIsTakenBackAfterTheStopGoesOnWithTheNewerSpec(Scene scene) {
    // given
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), job)) {
      Breakpoint held = job.hold(Moment.BEFORE, "DeleteCluster");
      job.apply(newer().jobState("suspended"));
      job.awaitHeld(held);

      // when
      job.applyAndAwaitSignal(newer());
      held.release();

      // then
      Resource ready = job.awaitReady();
      assertThat(running()).isEqualTo(newest());
      upgrade.verifyUpgraded(ready);
    }
  }

  @Test
  void aResumeThatIsAbortedStaysSuspendedAndTheNewestSpecIsResumed(Scene scene) {
    // given
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), job)) {
      Resource suspended = job.deploy(newer().jobState("suspended"));
      Breakpoint creating = resumeHeldAt("CreateCluster");

      // when
      job.request("sluice.dev/abort", "abort");
      creating.release();

      // then
      Resource back =
          job.await("back", it -> it.operation().equals("Rollback Succeeded MarkStable"));
      assertThat(back.status("/recordedState/path"))
          .isNotEmpty()
          .isEqualTo(suspended.status("/recordedState/path"));
      assertThat(job.flink().pods()).isEmpty();

      // and when
      Breakpoint freezing = resumeHeldAt("FreezeTarget");
      job.applyAndAwaitSignal(newer());
      freezing.release();

      // then
      Resource ready = job.awaitReady();
      assertThat(ready.operation()).isEqualTo("Resume Succeeded MarkStable");
      assertThat(running()).isEqualTo(newest());
      upgrade.verifyRestored(ready);
      assertThat(upgrade.goesOn().exact()).isTrue();
      upgrade.verifySavepoints(1);
    }
  }

  @Test
  void aRollbackHeedsNeitherAbortNorRetryButANewerSpec(Scene scene) {
    // given
    String first = running();
    job.deploy(newer());
    try (ExactUpgrade rollback = ExactUpgrade.begin(scene.cluster(), job)) {
      Breakpoint creating = rollbackHeldAt("CreateCluster");

      // when
      job.request("sluice.dev/abort", "abort");
      job.request("sluice.dev/retry", "retry");
      creating.release();

      // then
      job.await("back", it -> it.status("/lifecycleState").equals("ROLLED_BACK"));
      assertThat(job.get().operation()).isEqualTo("Rollback Succeeded MarkStable");
      assertThat(running()).isEqualTo(first);
      assertThat(job.counts().exact()).as("no element lost or doubled").isTrue();
      rollback.verifyOneCluster(2);
    }

    // given
    job.deploy(newer());
    Breakpoint freezing = rollbackHeldAt("FreezeRevision");

    // when
    job.applyAndAwaitSignal(newer());
    freezing.release();

    // then
    job.awaitReady();
    assertThat(running()).isEqualTo(newest());
    assertThat(job.counts().exact()).as("no element lost or doubled").isTrue();
  }

  @Test
  void aRecoveryThatIsAbortedRunsTheSameSpecAndOneMoreGoesOnAsADeletion(Scene scene) {
    // given
    String spec = running();
    job.await("a checkpoint", it -> job.flink().completedCheckpoints() > 0);
    try (ExactUpgrade recovery = ExactUpgrade.begin(scene.cluster(), job)) {
      Breakpoint held = recoveryHeldAt("CreateCluster", scene);

      // when
      job.request("sluice.dev/retry", "retry");
      job.request("sluice.dev/abort", "abort");
      held.release();

      // then
      job.await("back", it -> it.operation().equals("Rollback Succeeded MarkStable"));
      assertThat(running()).isEqualTo(spec);
      assertThat(recovery.goesOn().exact()).isTrue();
      recovery.verifySavepoints(0);
    }

    // given
    Lane lane = job.lane();
    Breakpoint held = recoveryHeldAt("CreateCluster", scene);

    // when
    kubectlDelete(scene, "flinkdep", "--wait=false");
    held.release();

    // then
    job.awaitGone();
    assertThat(lane.newestType()).isEqualTo("Delete");
  }

  private Breakpoint resumeHeldAt(String step) {
    Breakpoint held = job.hold(Moment.BEFORE, step);
    job.apply(newer());
    job.awaitHeld(held);
    return held;
  }

  private Breakpoint rollbackHeldAt(String step) {
    Breakpoint held = job.hold(Moment.BEFORE, step);
    job.annotate("sluice.dev/rollback", "wrong totals " + System.nanoTime());
    job.awaitHeld(held);
    return held;
  }

  private Breakpoint recoveryHeldAt(String step, Scene scene) {
    Breakpoint held = job.hold(Moment.BEFORE, step);
    kubectlDelete(scene, "deployment", "--timeout=60s");
    job.awaitHeld(held);
    return held;
  }

  private void kubectlDelete(Scene scene, String kind, String option) {
    scene.cluster().kubectl().run("delete", "-n", job.namespace(), kind, job.name(), option);
  }

  /** A spec that differs from all before. */
  private Manifest newer() {
    return job.manifest().config(Manifest.ROUND, Integer.toString(++specs));
  }

  /** The {@link Manifest#ROUND} of the newest spec. */
  private String newest() {
    return Integer.toString(specs);
  }

  /** The {@link Manifest#ROUND} of the spec that Flink really runs. */
  private String running() {
    return job.flink().configuration(Manifest.ROUND);
  }
}
