package dev.sluice.e2e.kill;

import dev.sluice.e2e.breakpoint.Breakpoint.Moment;
import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The effect is done and not reported: the next worker must find it, not repeat it. */
@Isolated("what it kills serves all")
@OnTestCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WorkerKilledIT {

  private UpgradeHeld upgrade;

  @BeforeAll
  void deploy(Scene scene) {
    upgrade = new UpgradeHeld(scene);
  }

  @ParameterizedTest
  @MethodSource("dev.sluice.e2e.kill.UpgradeHeld#steps")
  void afterTheEffectOf(List<String> steps, Scene scene) {
    upgrade.andKilled(Moment.AFTER, steps, () -> scene.cluster().kill("worker"));
  }
}
