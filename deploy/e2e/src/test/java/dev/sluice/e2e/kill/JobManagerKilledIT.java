package dev.sluice.e2e.kill;

import static org.awaitility.Awaitility.await;

import dev.sluice.e2e.breakpoint.Breakpoint.Moment;
import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The JobManager that is there at that step: the old one, or, from CreateCluster on, the new one.
 */
@Order(3)
@OnTestCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JobManagerKilledIT {

  private UpgradeHeld upgrade;

  @BeforeAll
  void deploy(Scene scene) {
    upgrade = new UpgradeHeld(scene);
  }

  @ParameterizedTest
  @MethodSource("dev.sluice.e2e.kill.UpgradeHeld#steps")
  void at(List<String> steps) {
    upgrade.andJobKilled(
        step -> step.equals("CreateCluster") ? Moment.AFTER : Moment.BEFORE,
        steps,
        this::killJobManager);
  }

  /** As soon as its process is there: at some steps it is only about to start. */
  private void killJobManager() {
    await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(50))
        .ignoreExceptions()
        .until(
            () -> {
              upgrade.steady().job().flink().killJobManager();
              return true;
            });
  }
}
