package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.e2e.cluster.Launcher;
import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands of docs/performance.md end. What they measure is not judged here. */
@Tag("bench")
@OnTestCluster
class BenchIT {

  /** The one of an idle job lets two minutes pass. */
  @ParameterizedTest
  @ValueSource(strings = {"upgrade --rounds 1 --no-warm-up", "failure --rounds 1", "idle"})
  void ends(String bench, Scene scene) {
    Launcher.Outcome outcome = Launcher.of(scene.cluster()).run("./sluice bench " + bench);

    assertThat(outcome.exitCode()).as(outcome.toString()).isZero();
  }
}
