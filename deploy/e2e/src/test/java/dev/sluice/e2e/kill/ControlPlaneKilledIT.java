package dev.sluice.e2e.kill;

import dev.sluice.e2e.breakpoint.Breakpoint.Moment;
import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.local.cluster.PartName;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What watches and what remembers: controller, Temporal, kube-apiserver. All at the same step: they
 * do not stand in for each other.
 */
@Isolated("what it kills serves all")
@OnTestCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ControlPlaneKilledIT {

  private UpgradeHeld upgrade;

  @BeforeAll
  void deploy(Scene scene) {
    upgrade = new UpgradeHeld(scene);
  }

  @ParameterizedTest
  @MethodSource("dev.sluice.e2e.kill.UpgradeHeld#steps")
  void before(List<String> steps, Scene scene) {
    upgrade.andKilled(
        Moment.BEFORE,
        steps,
        () -> {
          scene.cluster().kill("controller");
          scene.cluster().killAndStart(PartName.TEMPORAL);
          scene.cluster().killAndStart(PartName.KUBE_APISERVER);
          // its watches back off to half a minute when the API server is killed again and again,
          // and nothing of ours is tested by waiting for that
          scene.cluster().killAndStart(PartName.KUBE_CONTROLLER_MANAGER);
        });
  }
}
