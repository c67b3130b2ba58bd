package dev.sluice.workflows.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.workflows.deployment.Operations;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.testing.WorkflowReplayer;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Histories of every shape that was ever released replay with today's code; otherwise a run in
 * flight would break at the next release. A changed workflow gets a {@code getVersion}, and a new
 * history beside the old ones: see {@code HistoryRecorder}.
 */
class ReplayTest {

  private static final Path HISTORIES = Path.of("src/test/resources/history");

  /** The SDK's 1 s passes while a busy machine loads the classes. */
  private static final long DEADLOCK_MS = 30_000;

  private final TestWorkflowEnvironment environment = TestWorkflowEnvironment.newInstance();

  @AfterEach
  void stop() {
    environment.close();
  }

  static Stream<Path> histories() throws Exception {
    try (Stream<Path> files = Files.list(HISTORIES)) {
      return files.filter(f -> f.toString().endsWith(".json")).sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("histories")
  void historyReplays(Path history) throws Exception {
    replay(Files.readString(history));
  }

  @Test
  void everyOperationHasAHistory() throws Exception {
    assertThat(histories().map(f -> f.getFileName().toString()))
        .anyMatch(f -> f.startsWith("upgrade-"))
        .anyMatch(f -> f.startsWith("deploy-"))
        .anyMatch(f -> f.startsWith("rollback-"))
        .anyMatch(f -> f.startsWith("finish-"))
        .anyMatch(f -> f.startsWith("delete-"));
  }

  @Test
  void replayNoticesAStepThatIsMissing() throws Exception {
    String history =
        Files.readString(
            histories()
                .filter(f -> f.toString().contains("upgrade-savepoint"))
                .findFirst()
                .orElseThrow());

    assertThatThrownBy(() -> replay(history.replace("\"RecordState\"", "\"SomethingElse\"")))
        .hasStackTraceContaining("NonDeterministicException");
  }

  private void replay(String history) throws Exception {
    Worker worker =
        environment.newWorker(
            "replay",
            WorkerOptions.newBuilder().setDefaultDeadlockDetectionTimeout(DEADLOCK_MS).build());
    worker.registerWorkflowImplementationTypes(Operations.class);
    WorkflowReplayer.replayWorkflowExecution(WorkflowExecutionHistory.fromJson(history), worker);
  }
}
