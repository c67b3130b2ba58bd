package dev.sluice.e2e.kill;

import dev.sluice.e2e.breakpoint.Breakpoint.Moment;
import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.local.cluster.PartName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * What watches and what remembers: controller, Temporal, kube-apiserver. All at the same step: they
 * do not stand in for each other.
 */
@Tag("e2e")
@Isolated("what it kills serves all")
@OnTestCluster
class ControlPlaneKilledIT {

  @Test
  void beforeEachStep(Scene scene) {
    new UpgradesHeld(scene)
        .andJobsDisturbed(
            step -> Moment.BEFORE,
            jobs -> {
              scene.cluster().kill("controller");
              scene.cluster().killAndStart(PartName.TEMPORAL);
              scene.cluster().killAndStart(PartName.KUBE_APISERVER);
              // its watches back off to half a minute when the API server is killed again and
              // again, and nothing of ours is tested by waiting for that
              scene.cluster().killAndStart(PartName.KUBE_CONTROLLER_MANAGER);
            });
  }
}
