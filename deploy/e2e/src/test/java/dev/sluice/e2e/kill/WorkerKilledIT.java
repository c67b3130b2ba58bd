package dev.sluice.e2e.kill;

import dev.sluice.e2e.breakpoint.Breakpoint.Moment;
import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The effect is done and not reported: the next worker must find it, not repeat it. */
@Tag("e2e")
@Isolated("it kills the worker")
@OnTestCluster
class WorkerKilledIT {

  @Test
  void afterTheEffectOfEachStep(Scene scene) {
    new UpgradesHeld(scene).andKilled(Moment.AFTER, () -> scene.cluster().kill("worker"));
  }
}
