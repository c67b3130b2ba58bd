package dev.sluice.workflows.walk;

import dev.sluice.workflows.model.ResourceRef;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Writes the histories that {@link dev.sluice.workflows.replay.ReplayTest} replays, of runs of the
 * model on Temporal's development server. A tool, so its name is not a test's: {@code mvn -pl
 * workflow-tests -am test -Dtest=HistoryRecorder -Dhistories.record=v7
 * -Dsurefire.failIfNoSpecifiedTests=false}.
 */
class HistoryRecorder {

  private static final Path HISTORIES = Path.of("src/test/resources/history");

  /** The scenario by the name of its history. */
  private static final Map<String, String> SCENARIOS =
      Map.of(
          "deploy", "deploy",
          "upgrade-savepoint", "upgrade",
          "rollback", "upgrade-to-failing-aborted",
          "finish", "finish",
          "delete", "delete",
          "delete-savepoint", "delete-with-savepoint");

  @Test
  void record() throws Exception {
    String shape =
        Objects.requireNonNull(System.getProperty("histories.record"), "histories.record");
    try (ResettableServer server =
        new ResettableServer(Path.of("target", "temporal-of-histories.log"))) {
      for (var each : SCENARIOS.entrySet()) {
        ResourceRef ref =
            new ResourceRef("k8s", "FlinkDeployment", "default", each.getKey(), each.getKey());
        ResetRun run =
            new ResetRun(Case.parse(each.getValue()).scenario(), (lane, point) -> {}, server, ref);
        run.begin();
        Files.writeString(
            HISTORIES.resolve(each.getKey() + "-" + shape + ".json"),
            server.historyAsJson(ref, run.runs().get(0)) + "\n");
        run.end();
      }
    }
  }
}
