package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.e2e.breakpoint.Breakpoint;
import dev.sluice.e2e.breakpoint.Breakpoint.Moment;
import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.ExactUpgrade;
import dev.sluice.e2e.job.Lane;
import dev.sluice.e2e.job.Resource;
import dev.sluice.e2e.job.SteadyJob;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The table of docs/operations.md for Suspend, Resume, Rollback and Recover on real parts: each is
 * held before a step, something is asked for, and the step goes on. {@link RequestsAtStepsIT} has
 * the upgrades.
 */
@Tag("e2e")
@Order(5)
@OnTestCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RequestsToOtherOperationsIT {

  private SteadyJob steady;

  @BeforeAll
  void deploy(Scene scene) {
    steady = new SteadyJob(scene, "others");
  }

  @Test
  void aSuspensionThatIsAbortedBeforeTheStopLeavesTheJobUntouched(Scene scene) throws IOException {
    // given
    steady.ensureRuns();
    List<String> jobs = steady.job().flink().jobs();
    try (ExactUpgrade suspension = ExactUpgrade.begin(scene.cluster(), steady.job())) {
      Breakpoint held = steady.job().hold(Moment.BEFORE, "FreezeTarget");
      steady.job().apply(steady.newer().jobState("suspended"));
      steady.job().awaitHeld(held);

      // when
      steady.job().request("sluice.dev/abort", "abort");
      held.release();

      // then
      Lane lane = steady.job().lane();
      steady
          .job()
          .await("aborted", it -> it.operation().startsWith("Suspend Aborted") && !lane.isOpen());
      assertThat(steady.job().flink().jobs()).isEqualTo(jobs);
      assertThat(suspension.goesOn().exact()).isTrue();
      suspension.verifySavepoints(0);
      suspension.verifyOneCluster(1);
    }
  }

  @Test
  void aSuspensionThatIsTakenBackAfterTheStopGoesOnWithTheNewerSpec(Scene scene) {
    // given
    steady.ensureRuns();
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), steady.job())) {
      Breakpoint held = steady.job().hold(Moment.BEFORE, "DeleteCluster");
      steady.job().apply(steady.newer().jobState("suspended"));
      steady.job().awaitHeld(held);

      // when
      steady.job().applyAndAwaitSignal(steady.newer());
      held.release();

      // then
      Resource ready = steady.job().awaitReady();
      assertThat(steady.running()).isEqualTo(steady.round());
      upgrade.verifyUpgraded(ready);
    }
  }

  @Test
  void aResumeThatIsAbortedStaysSuspendedAndTheNewestSpecIsResumed(Scene scene) {
    // given
    steady.ensureRuns();
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), steady.job())) {
      Resource suspended = steady.job().deploy(steady.newer().jobState("suspended"));
      Breakpoint creating = resumeHeldAt("CreateCluster");

      // when
      steady.job().request("sluice.dev/abort", "abort");
      creating.release();

      // then
      Resource back =
          steady.job().await("back", it -> it.operation().equals("Rollback Succeeded MarkStable"));
      assertThat(back.status("/recordedState/path"))
          .isNotEmpty()
          .isEqualTo(suspended.status("/recordedState/path"));
      assertThat(steady.job().flink().pods()).isEmpty();

      // and when
      Breakpoint freezing = resumeHeldAt("FreezeTarget");
      steady.job().applyAndAwaitSignal(steady.newer());
      freezing.release();

      // then
      Resource ready = steady.job().awaitReady();
      assertThat(ready.operation()).isEqualTo("Resume Succeeded MarkStable");
      assertThat(steady.running()).isEqualTo(steady.round());
      upgrade.verifyRestored(ready);
      assertThat(upgrade.goesOn().exact()).isTrue();
      upgrade.verifySavepoints(1);
    }
  }

  @Test
  void aRollbackHeedsNeitherAbortNorRetryButANewerSpec(Scene scene) {
    // given
    steady.ensureRuns();
    String first = steady.running();
    steady.job().deploy(steady.newer());
    try (ExactUpgrade rollback = ExactUpgrade.begin(scene.cluster(), steady.job())) {
      Breakpoint creating = rollbackHeldAt("CreateCluster");

      // when
      steady.job().request("sluice.dev/abort", "abort");
      steady.job().request("sluice.dev/retry", "retry");
      creating.release();

      // then
      steady.job().await("back", it -> it.status("/lifecycleState").equals("ROLLED_BACK"));
      assertThat(steady.job().get().operation()).isEqualTo("Rollback Succeeded MarkStable");
      assertThat(steady.running()).isEqualTo(first);
      assertThat(steady.job().counts().exact()).as("no element lost or doubled").isTrue();
      rollback.verifyOneCluster(2);
    }

    // given
    steady.job().deploy(steady.newer());
    Breakpoint freezing = rollbackHeldAt("FreezeRevision");

    // when
    steady.job().applyAndAwaitSignal(steady.newer());
    freezing.release();

    // then
    steady.job().awaitReady();
    assertThat(steady.running()).isEqualTo(steady.round());
    assertThat(steady.job().counts().exact()).as("no element lost or doubled").isTrue();
  }

  @Test
  void aRecoveryThatIsAbortedRunsTheSameSpecAndOneMoreGoesOnAsADeletion(Scene scene) {
    // given
    steady.ensureRuns();
    String spec = steady.running();
    steady.job().await("a checkpoint", it -> steady.job().flink().completedCheckpoints() > 0);
    try (ExactUpgrade recovery = ExactUpgrade.begin(scene.cluster(), steady.job())) {
      Breakpoint held = recoveryHeldAt("CreateCluster", scene);

      // when
      steady.job().request("sluice.dev/retry", "retry");
      steady.job().request("sluice.dev/abort", "abort");
      held.release();

      // then
      steady.job().await("back", it -> it.operation().equals("Rollback Succeeded MarkStable"));
      assertThat(steady.running()).isEqualTo(spec);
      assertThat(recovery.goesOn().exact()).isTrue();
      recovery.verifySavepoints(0);
    }

    // given
    Lane lane = steady.job().lane();
    Breakpoint held = recoveryHeldAt("CreateCluster", scene);

    // when
    kubectlDelete(scene, "flinkdep", "--wait=false");
    held.release();

    // then
    steady.job().awaitGone();
    assertThat(lane.types()).last().isEqualTo("Delete");
  }

  private Breakpoint resumeHeldAt(String step) {
    Breakpoint held = steady.job().hold(Moment.BEFORE, step);
    steady.job().apply(steady.newer());
    steady.job().awaitHeld(held);
    return held;
  }

  private Breakpoint rollbackHeldAt(String step) {
    Breakpoint held = steady.job().hold(Moment.BEFORE, step);
    steady.job().annotate("sluice.dev/rollback", "wrong totals " + System.nanoTime());
    steady.job().awaitHeld(held);
    return held;
  }

  private Breakpoint recoveryHeldAt(String step, Scene scene) {
    Breakpoint held = steady.job().hold(Moment.BEFORE, step);
    kubectlDelete(scene, "deployment", "--timeout=60s");
    steady.job().awaitHeld(held);
    return held;
  }

  private void kubectlDelete(Scene scene, String kind, String option) {
    scene
        .cluster()
        .kubectl()
        .run("delete", "-n", steady.job().namespace(), kind, steady.job().name(), option);
  }
}
