package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.e2e.breakpoint.Breakpoint;
import dev.sluice.e2e.breakpoint.Breakpoint.Moment;
import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.ExactUpgrade;
import dev.sluice.e2e.job.Resource;
import dev.sluice.e2e.job.SteadyJob;
import dev.sluice.local.cluster.PartName;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One job is upgraded again and again; each upgrade is held at a step, where processes are killed.
 * Whatever dies, the upgrade ends with the new spec, exact counts, one job and one savepoint.
 */
@Tag("kills")
@OnTestCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KillAtEveryStepIT {

  private SteadyJob steady;

  @BeforeAll
  void deploy(Scene scene) {
    steady = new SteadyJob(scene, "survivor");
  }

  /** The effect is done and not reported: the next worker must find it, not repeat it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Observe",
        "FreezeTarget",
        "StopWithSavepoint",
        "RecordState",
        "DeleteCluster",
        "CreateCluster",
        "AwaitJobManager",
        "AwaitRunning",
        "MarkStable"
      })
  void worker(String step, Scene scene) {
    upgrade(scene, Moment.AFTER, step, true, () -> scene.cluster().kill("worker"));
  }

  /**
   * What watches and what remembers. All three at the same step: they do not stand in for each
   * other.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Observe",
        "FreezeTarget",
        "StopWithSavepoint",
        "RecordState",
        "DeleteCluster",
        "CreateCluster",
        "AwaitJobManager",
        "AwaitRunning",
        "MarkStable"
      })
  void controllerTemporalAndApiServer(String step, Scene scene) {
    upgrade(
        scene,
        Moment.BEFORE,
        step,
        true,
        () -> {
          scene.cluster().kill("controller");
          scene.cluster().killAndStart(PartName.TEMPORAL);
          scene.cluster().killAndStart(PartName.KUBE_APISERVER);
        });
  }

  /**
   * The JobManager that is there at that step: the old one, or, from CreateCluster on, the new one.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Observe",
        "FreezeTarget",
        "StopWithSavepoint",
        "RecordState",
        "DeleteCluster",
        "CreateCluster",
        "AwaitJobManager",
        "AwaitRunning",
        "MarkStable"
      })
  void jobManager(String step, Scene scene) {
    Moment moment = step.equals("CreateCluster") ? Moment.AFTER : Moment.BEFORE;
    upgrade(
        scene,
        moment,
        step,
        false,
        () ->
            await()
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(50))
                .ignoreExceptions()
                .until(
                    () -> {
                      steady.job().flink().killJobManager();
                      return true;
                    }));
  }

  private void upgrade(
      Scene scene, Moment moment, String step, boolean restoresTheSavepoint, Runnable kill) {
    // given
    steady.ensureRuns();
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), steady.job())) {
      Breakpoint held = steady.job().hold(moment, step);
      steady.job().apply(steady.newer());
      steady.job().awaitHeld(held);

      // when
      kill.run();
      held.release();

      // then
      Resource ready = steady.job().awaitReady();
      upgrade.verifyExact(ready);
      if (restoresTheSavepoint) {
        upgrade.verifyRestored(ready);
      }
      assertThat(steady.running()).isEqualTo(steady.round());
    }
  }
}
