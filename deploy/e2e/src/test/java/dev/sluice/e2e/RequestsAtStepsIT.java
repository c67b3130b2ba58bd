package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.e2e.breakpoint.Breakpoint;
import dev.sluice.e2e.breakpoint.Breakpoint.Moment;
import dev.sluice.e2e.cluster.Launcher;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The table of docs/operations.md on real parts. An upgrade is held before a step, something is
 * asked for, and the step goes on.
 */
@Tag("e2e")
@OnTestCluster
class RequestsAtStepsIT {

  private Job job;
  private int specs;

  @BeforeEach
  void deploy(Scene scene) {
    job = scene.job("asked");
    job.deploy(newer());
  }

  @Test
  void anAbortBeforeTheStopLeavesTheOldJobUntouched(Scene scene) {
    // given
    String old = running();
    List<String> jobs = job.flink().jobs();
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), job)) {
      Breakpoint held = upgradeHeldAt("FreezeTarget");

      // when
      job.request("sluice.dev/abort", "abort");
      held.release();

      // then
      awaitAborted();
      assertThat(job.flink().jobs()).isEqualTo(jobs);
      assertThat(running()).isEqualTo(old);
      assertThat(upgrade.goesOn().exact()).isTrue();
      upgrade.verifySavepoints(0);
      upgrade.verifyOneCluster(1);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "StopWithSavepoint, 2, 2",
    "RecordState, 2, 2",
    "DeleteCluster, 2, 2",
    // the cluster that is created is deleted at once
    "CreateCluster, 2, 3",
    "AwaitRunning, 3, 3"
  })
  void anAbortAfterTheStopBringsTheOldSpecBackWithItsState(
      String step, int least, int most, Scene scene) {
    // given
    String old = running();
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), job)) {
      Breakpoint held = upgradeHeldAt(step);

      // when
      job.request("sluice.dev/abort", "abort");
      held.release();

      // then
      Resource back =
          job.await("back", it -> it.operation().equals("Rollback Succeeded MarkStable"));
      assertThat(running()).isEqualTo(old);
      upgrade.verifyRestored(back);
      assertThat(upgrade.goesOn().exact()).isTrue();
      upgrade.verifySavepoints(1);
      upgrade.verifyOneCluster(least, most);
    }
  }

  @ParameterizedTest
  @CsvSource({"FreezeTarget, 0, 1", "AwaitRunning, 1, 3"})
  void temporalsOwnCancelMeansAbort(String step, int savepoints, int clusters, Scene scene) {
    // given
    String old = running();
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), job)) {
      Breakpoint held = upgradeHeldAt(step);

      // when
      job.lane().cancel();
      held.release();

      // then
      awaitAborted();
      job.lane().awaitCancelled();
      assertThat(running()).isEqualTo(old);
      assertThat(upgrade.goesOn().exact()).isTrue();
      upgrade.verifySavepoints(savepoints);
      upgrade.verifyOneCluster(clusters);
    }
  }

  /**
   * A newer spec at each step of what has become one upgrade; three of them get a cluster, one of
   * which is deleted as soon as it is created.
   */
  @Test
  void theNewestSpecWinsAtEveryStepAndNoStateIsLost(Scene scene) {
    // given
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), job)) {
      Breakpoint held = upgradeHeldAt("FreezeTarget");

      // when
      for (String next :
          List.of(
              "StopWithSavepoint",
              "RecordState",
              "DeleteCluster",
              "CreateCluster",
              "AwaitRunning")) {
        Breakpoint then = job.hold(Moment.BEFORE, next);
        job.applyAndAwaitSignal(newer());
        held.release();
        job.awaitHeld(then);
        held = then;
      }
      job.applyAndAwaitSignal(newer());
      held.release();

      // then
      Resource ready = job.awaitReady();
      assertThat(running()).isEqualTo(newest());
      upgrade.verifyRestored(ready);
      assertThat(upgrade.goesOn().exact()).isTrue();
      // of the old job, and of each new one that was up before a newer spec came
      upgrade.verifySavepointsBetween(1, 3);
      upgrade.verifyOneCluster(3, 4);
    }
  }

  @Test
  void aParkedUpgradeGoesBackOnAbort(Scene scene) {
    // given
    String old = running();
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), job)) {
      job.apply(newer().plusArgs("--fail-at-start", "main"));
      job.await("stalled", Resource::isStalled);

      // when
      job.request("sluice.dev/abort", "abort");

      // then
      Resource back =
          job.await("back", it -> it.operation().equals("Rollback Succeeded MarkStable"));
      assertThat(running()).isEqualTo(old);
      upgrade.verifyRestored(back);
      assertThat(upgrade.goesOn().exact()).isTrue();
      upgrade.verifySavepoints(1);
    }
  }

  @Test
  void aBlockedUpgradeGoesOnByItselfOnceTheCauseIsGone(Scene scene) throws Exception {
    // given
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), job)) {
      // an image that no other test uses: they run side by side
      scene.cluster().refuseImage("flink:2.2.1-java17");
      job.apply(newer().image("flink:2.2.1-java17"));
      Resource blocked = job.await("stalled", Resource::isStalled);
      assertThat(blocked.status("/operation/state")).isEqualTo("Blocked");
      assertThat(blocked.status("/operation/reason")).isEqualTo("ImagePullFailed");

      // when
      scene.cluster().allowImages();

      // then
      Resource ready = job.awaitReady();
      assertThat(running()).isEqualTo(newest());
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
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), job)) {
      job.apply(newer().plusArgs("--fail-at-start", "main"));
      job.await("stalled", Resource::isStalled);

      // when
      job.apply(newer());

      // then
      Resource ready = job.awaitReady();
      assertThat(running()).isEqualTo(newest());
      upgrade.verifyRestored(ready);
      assertThat(upgrade.goesOn().exact()).isTrue();
      upgrade.verifySavepoints(1);
    }
  }

  /** One upgrade for both: each would start a Flink cluster of its own. */
  @Test
  void aNewConfigurationGoesOnWithTheCountsAndAResetOfThatUpgradeTouchesNothing(Scene scene) {
    // given

    // when
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), job)) {
      Resource upgraded = job.deploy(newer().config("execution.checkpointing.interval", "7s"));

      // then
      upgrade.verifyUpgraded(upgraded);
      assertThat(job.flink().configuration("execution.checkpointing.interval")).isEqualTo("7s");
    }

    // and
    job.lane().awaitCompleted();
    String run = job.lane().newestRun();
    for (String step : List.of("FirstWorkflowTask", "LastWorkflowTask")) {
      resetTouchesNothing(scene, run, step);
    }
  }

  /** The run begins again, finds that there is nothing to do, and ends. */
  private void resetTouchesNothing(Scene scene, String run, String step) {
    List<String> jobs = job.flink().jobs();
    String newest = job.lane().newestRun();
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), job)) {

      // when
      Launcher.Outcome reset =
          Launcher.of(scene.cluster())
              .run(
                  "./sluice temporal workflow reset --workflow-id %s --run-id %s --type %s --reason e2e"
                      .formatted(job.lane().id(), run, step));

      // then
      assertThat(reset.exitCode()).as(reset.err()).isZero();
      job.lane().awaitCompleted();
      assertThat(job.lane().newestRun()).isNotEqualTo(newest);
      // the run may have said for a moment that it is under way, and the controller follows
      Resource unused = job.awaitReady();
      assertThat(job.flink().jobs()).isEqualTo(jobs);
      assertThat(running()).isEqualTo(newest());
      assertThat(upgrade.goesOn().exact()).isTrue();
      upgrade.verifySavepoints(0);
      upgrade.verifyOneCluster(1);
    }
  }

  /** The run before this one may have left the same state, so the run must have ended, too. */
  private void awaitAborted() {
    Lane lane = job.lane();
    job.await("aborted", it -> it.status("/operation/state").equals("Aborted") && !lane.isOpen());
  }

  private Breakpoint upgradeHeldAt(String step) {
    Breakpoint held = job.hold(Moment.BEFORE, step);
    job.apply(newer());
    job.awaitHeld(held);
    return held;
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
