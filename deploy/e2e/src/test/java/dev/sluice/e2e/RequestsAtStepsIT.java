package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.e2e.breakpoint.Breakpoint;
import dev.sluice.e2e.breakpoint.Breakpoint.Moment;
import dev.sluice.e2e.cluster.Launcher;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The table of docs/operations.md on real parts. An upgrade of one long-lived job is held before a
 * step, something is asked for, and the step goes on.
 */
@Tag("e2e")
@Order(1)
@OnTestCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RequestsAtStepsIT {

  private SteadyJob steady;

  @BeforeAll
  void deploy(Scene scene) {
    steady = new SteadyJob(scene, "asked");
  }

  @Test
  void anAbortBeforeTheStopLeavesTheOldJobUntouched(Scene scene) throws IOException {
    // given
    steady.ensureRuns();
    String old = steady.running();
    List<String> jobs = steady.job().flink().jobs();
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), steady.job())) {
      Breakpoint held = upgradeHeldAt("FreezeTarget");

      // when
      steady.job().request("sluice.dev/abort", "abort");
      held.release();

      // then
      awaitAborted();
      assertThat(steady.job().flink().jobs()).isEqualTo(jobs);
      assertThat(steady.running()).isEqualTo(old);
      assertThat(upgrade.goesOn().exact()).isTrue();
      upgrade.verifySavepoints(0);
      upgrade.verifyOneCluster(1);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "StopWithSavepoint, 2",
    "RecordState, 2",
    "DeleteCluster, 2",
    "CreateCluster, 3",
    "AwaitRunning, 3"
  })
  void anAbortAfterTheStopBringsTheOldSpecBackWithItsState(String step, int clusters, Scene scene) {
    // given
    steady.ensureRuns();
    String old = steady.running();
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), steady.job())) {
      Breakpoint held = upgradeHeldAt(step);

      // when
      steady.job().request("sluice.dev/abort", "abort");
      held.release();

      // then
      Resource back =
          steady.job().await("back", it -> it.operation().equals("Rollback Succeeded MarkStable"));
      assertThat(steady.running()).isEqualTo(old);
      upgrade.verifyRestored(back);
      assertThat(upgrade.goesOn().exact()).isTrue();
      upgrade.verifySavepoints(1);
      upgrade.verifyOneCluster(clusters);
    }
  }

  @ParameterizedTest
  @CsvSource({"FreezeTarget, 0, 1", "AwaitRunning, 1, 3"})
  void temporalsOwnCancelMeansAbort(String step, int savepoints, int clusters, Scene scene) {
    // given
    steady.ensureRuns();
    String old = steady.running();
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), steady.job())) {
      Breakpoint held = upgradeHeldAt(step);

      // when
      steady.job().lane().cancel();
      held.release();

      // then
      awaitAborted();
      steady.job().lane().awaitCancelled();
      assertThat(steady.running()).isEqualTo(old);
      assertThat(upgrade.goesOn().exact()).isTrue();
      upgrade.verifySavepoints(savepoints);
      upgrade.verifyOneCluster(clusters);
    }
  }

  /** A newer spec at each step of what has become one upgrade; three of them get a cluster. */
  @Test
  void theNewestSpecWinsAtEveryStepAndNoStateIsLost(Scene scene) {
    // given
    steady.ensureRuns();
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), steady.job())) {
      Breakpoint held = upgradeHeldAt("FreezeTarget");

      // when
      for (String next :
          List.of(
              "StopWithSavepoint",
              "RecordState",
              "DeleteCluster",
              "CreateCluster",
              "AwaitRunning")) {
        Breakpoint then = steady.job().hold(Moment.BEFORE, next);
        steady.job().applyAndAwaitSignal(steady.newer());
        held.release();
        steady.job().awaitHeld(then);
        held = then;
      }
      steady.job().applyAndAwaitSignal(steady.newer());
      held.release();

      // then
      Resource ready = steady.job().awaitReady();
      assertThat(steady.running()).isEqualTo(steady.round());
      upgrade.verifyRestored(ready);
      assertThat(upgrade.goesOn().exact()).isTrue();
      // of the old job, and of each new one that was up before a newer spec came
      upgrade.verifySavepointsBetween(1, 3);
      upgrade.verifyOneCluster(4);
    }
  }

  @Test
  void aParkedUpgradeGoesBackOnAbort(Scene scene) {
    // given
    steady.ensureRuns();
    String old = steady.running();
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), steady.job())) {
      steady.job().apply(steady.newer().plusArgs("--fail-at-start", "main"));
      steady.job().await("stalled", Resource::isStalled);

      // when
      steady.job().request("sluice.dev/abort", "abort");

      // then
      Resource back =
          steady.job().await("back", it -> it.operation().equals("Rollback Succeeded MarkStable"));
      assertThat(steady.running()).isEqualTo(old);
      upgrade.verifyRestored(back);
      assertThat(upgrade.goesOn().exact()).isTrue();
      upgrade.verifySavepoints(1);
    }
  }

  @Test
  void aBlockedUpgradeGoesOnByItselfOnceTheCauseIsGone(Scene scene) throws Exception {
    // given
    steady.ensureRuns();
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), steady.job())) {
      // an image that no other test uses: they run side by side
      scene.cluster().refuseImage("flink:2.2.1-java17");
      steady.job().apply(steady.newer().image("flink:2.2.1-java17"));
      Resource blocked = steady.job().await("stalled", Resource::isStalled);
      assertThat(blocked.status("/operation/state")).isEqualTo("Blocked");
      assertThat(blocked.status("/operation/reason")).isEqualTo("ImagePullFailed");

      // when
      scene.cluster().allowImages();

      // then
      Resource ready = steady.job().awaitReady();
      assertThat(steady.running()).isEqualTo(steady.round());
      upgrade.verifyRestored(ready);
      assertThat(upgrade.goesOn().exact()).isTrue();
      upgrade.verifySavepoints(1);
    } finally {
      scene.cluster().allowImages();
    }
  }

  @Test
  void aParkedUpgradeGoesOnWithACorrectedSpec(Scene scene) {
    // given
    steady.ensureRuns();
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), steady.job())) {
      steady.job().apply(steady.newer().plusArgs("--fail-at-start", "main"));
      steady.job().await("stalled", Resource::isStalled);

      // when
      steady.job().apply(steady.newer());

      // then
      Resource ready = steady.job().awaitReady();
      assertThat(steady.running()).isEqualTo(steady.round());
      upgrade.verifyRestored(ready);
      assertThat(upgrade.goesOn().exact()).isTrue();
      upgrade.verifySavepoints(1);
    }
  }

  /** One upgrade for both: each would start a Flink cluster of its own. */
  @Test
  void aNewConfigurationGoesOnWithTheCountsAndAResetOfThatUpgradeTouchesNothing(Scene scene)
      throws IOException {
    // given
    steady.ensureRuns();

    // when
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), steady.job())) {
      Resource upgraded =
          steady.job().deploy(steady.newer().config("execution.checkpointing.interval", "7s"));

      // then
      upgrade.verifyUpgraded(upgraded);
      assertThat(steady.job().flink().configuration("execution.checkpointing.interval"))
          .isEqualTo("7s");
    }

    // and
    steady.job().lane().awaitCompleted();
    String run = steady.job().lane().newestRun();
    for (String step : List.of("FirstWorkflowTask", "LastWorkflowTask")) {
      resetTouchesNothing(scene, run, step);
    }
  }

  /** The run begins again, finds that there is nothing to do, and ends. */
  private void resetTouchesNothing(Scene scene, String run, String step) throws IOException {
    List<String> jobs = steady.job().flink().jobs();
    String newest = steady.job().lane().newestRun();
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), steady.job())) {

      // when
      Launcher.Outcome reset =
          Launcher.of(scene.cluster())
              .run(
                  "./sluice temporal workflow reset --workflow-id %s --run-id %s --type %s --reason e2e"
                      .formatted(steady.job().lane().id(), run, step));

      // then
      assertThat(reset.exitCode()).as(reset.err()).isZero();
      steady.job().lane().awaitCompleted();
      assertThat(steady.job().lane().newestRun()).isNotEqualTo(newest);
      assertThat(steady.job().get().isReady()).isTrue();
      assertThat(steady.job().flink().jobs()).isEqualTo(jobs);
      assertThat(steady.running()).isEqualTo(steady.round());
      assertThat(upgrade.goesOn().exact()).isTrue();
      upgrade.verifySavepoints(0);
      upgrade.verifyOneCluster(1);
    }
  }

  /** The run before this one may have left the same state, so the run must have ended, too. */
  private void awaitAborted() {
    Lane lane = steady.job().lane();
    steady
        .job()
        .await("aborted", it -> it.status("/operation/state").equals("Aborted") && !lane.isOpen());
  }

  private Breakpoint upgradeHeldAt(String step) {
    Breakpoint held = steady.job().hold(Moment.BEFORE, step);
    steady.job().apply(steady.newer());
    steady.job().awaitHeld(held);
    return held;
  }
}
