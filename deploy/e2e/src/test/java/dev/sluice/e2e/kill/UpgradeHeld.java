package dev.sluice.e2e.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.e2e.breakpoint.Breakpoint;
import dev.sluice.e2e.breakpoint.Breakpoint.Moment;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.ExactUpgrade;
import dev.sluice.e2e.job.Resource;
import dev.sluice.e2e.job.SteadyJob;
import java.util.stream.Stream;

/**
 * One job that is upgraded again and again; each upgrade is held at a step, where processes are
 * killed. Whatever dies, the upgrade ends with the new spec, exact counts, one job and one
 * savepoint.
 */
final class UpgradeHeld {

  private final Scene scene;
  private final SteadyJob steady;

  UpgradeHeld(Scene scene) {
    this.scene = scene;
    this.steady = new SteadyJob(scene, "survivor");
  }

  /** The steps of an upgrade, as docs/operations.md has them. */
  static Stream<String> steps() {
    return Stream.of(
        "Observe",
        "FreezeTarget",
        "StopWithSavepoint",
        "RecordState",
        "DeleteCluster",
        "CreateCluster",
        "AwaitJobManager",
        "AwaitRunning",
        "MarkStable");
  }

  SteadyJob steady() {
    return steady;
  }

  /** The new job is the one that was restored from the savepoint. */
  void andKilled(Moment moment, String step, Runnable kill) {
    upgrade(
        moment,
        step,
        kill,
        (upgrade, ready) -> {
          upgrade.verifyExact(ready);
          upgrade.verifyRestored(ready);
        });
  }

  /**
   * The new job itself may have failed over meanwhile: its newest restore may be one from a
   * checkpoint that it made after the savepoint.
   */
  void andJobKilled(Moment moment, String step, Runnable kill) {
    upgrade(moment, step, kill, ExactUpgrade::verifyExact);
  }

  private interface Verification {
    void verify(ExactUpgrade upgrade, Resource ready);
  }

  private void upgrade(Moment moment, String step, Runnable kill, Verification then) {
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
      then.verify(upgrade, ready);
      assertThat(steady.running()).isEqualTo(steady.round());
    }
  }
}
