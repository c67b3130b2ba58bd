package dev.sluice.e2e.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.e2e.breakpoint.Breakpoint;
import dev.sluice.e2e.breakpoint.Breakpoint.Moment;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.ExactUpgrade;
import dev.sluice.e2e.job.Resource;
import dev.sluice.e2e.job.SteadyJob;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * One job that is upgraded again and again; each upgrade is held at steps, where processes are
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

  /**
   * The steps of an upgrade, as docs/operations.md has them, each in one of three upgrades: nine
   * would start nine Flink clusters to say the same.
   */
  static Stream<List<String>> steps() {
    return Stream.of(
        List.of("Observe", "RecordState", "AwaitJobManager"),
        List.of("FreezeTarget", "DeleteCluster", "AwaitRunning"),
        List.of("StopWithSavepoint", "CreateCluster", "MarkStable"));
  }

  SteadyJob steady() {
    return steady;
  }

  /** Kills at each of the steps; the new job is the one that was restored from the savepoint. */
  void andKilled(Moment moment, List<String> steps, Runnable kill) {
    upgrade(
        step -> moment,
        steps,
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
  void andJobKilled(Function<String, Moment> moment, List<String> steps, Runnable kill) {
    upgrade(moment, steps, kill, ExactUpgrade::verifyExact);
  }

  private void upgrade(
      Function<String, Moment> moment,
      List<String> steps,
      Runnable kill,
      BiConsumer<ExactUpgrade, Resource> then) {
    // given
    steady.ensureRuns();
    try (ExactUpgrade upgrade = ExactUpgrade.begin(scene.cluster(), steady.job())) {
      List<Breakpoint> breakpoints =
          steps.stream().map(step -> steady.job().hold(moment.apply(step), step)).toList();
      steady.job().apply(steady.newer());

      // when
      for (Breakpoint held : breakpoints) {
        steady.job().awaitHeld(held);
        kill.run();
        held.release();
      }

      // then
      Resource ready = steady.job().awaitReady();
      then.accept(upgrade, ready);
      assertThat(steady.running()).isEqualTo(steady.round());
    }
  }
}
