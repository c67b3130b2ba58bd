package dev.sluice.e2e.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.crash.Result.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Every step of every operation, every process, before, during and after. Not part of a usual
 * build: docs/reliability.md says how to run it. The report is {@code target/crash-matrix.md}.
 */
@Tag("crash")
@Isolated("it kills what all need")
@OnTestCluster
class CrashMatrixIT {

  private static final Path REPORT = Path.of("target", "crash-matrix.md");

  @Test
  @Timeout(value = 3, unit = TimeUnit.HOURS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void everyOperationSurvivesEveryKill(Scene scene) throws IOException {
    long start = System.nanoTime();
    long asked = Long.getLong("crash.seed", 0);
    long seed = asked == 0 ? System.currentTimeMillis() : asked;
    List<Round> rounds = Round.of(selection().points());
    List<Result> results = new ArrayList<>();
    // worker and controller start some hundred times
    scene.cluster().local().buildClassArchives();
    try (Matrix matrix = new Matrix(scene, seed)) {
      for (Round round : rounds) {
        results.addAll(matrix.run(round));
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        Files.writeString(REPORT, new Report(seed, took, results).markdown());
      }
    }

    assertThat(results).as("points").anyMatch(Result::killed);
    assertThat(results)
        .as("see %s", REPORT.toAbsolutePath())
        .noneMatch(it -> it.outcome() == Outcome.IN_QUESTION);
    await("no process of a pod that is gone")
        .untilAsserted(() -> assertThat(new Orphans(scene.cluster()).found()).isEmpty());
  }

  private static Selection selection() {
    return Selection.of(
        property("operation"), property("process"), property("moment"), property("step"));
  }

  private static String property(String name) {
    return System.getProperty("crash." + name, "all");
  }
}
