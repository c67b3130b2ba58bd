package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.e2e.cluster.Launcher;
import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The commands of docs/performance.md. What they measure is not judged here. */
@Tag("bench")
@OnTestCluster
class BenchIT {

  @Test
  void comparesAnUpgradeWithItsBareSteps(Scene scene) {
    Launcher.Outcome outcome =
        Launcher.of(scene.cluster()).run("./sluice bench upgrade --rounds 1 --no-warm-up");

    assertThat(outcome.exitCode()).as(outcome.toString()).isZero();
    assertThat(outcome.out()).contains("ratio", "writes");
  }

  @Test
  void measuresHowSoonAFailureIsSeen(Scene scene) {
    Launcher.Outcome outcome =
        Launcher.of(scene.cluster()).run("./sluice bench failure --rounds 1");

    assertThat(outcome.exitCode()).as(outcome.toString()).isZero();
    assertThat(outcome.out()).contains("median of 1 rounds", "longest");
  }

  /** Two minutes of letting time pass. */
  @Test
  void countsWhatAnIdleJobCosts(Scene scene) {
    Launcher.Outcome outcome = Launcher.of(scene.cluster()).run("./sluice bench idle");

    assertThat(outcome.exitCode()).as(outcome.toString()).isZero();
    assertThat(outcome.out()).contains("API-server writes", "Flink REST requests");
  }
}
