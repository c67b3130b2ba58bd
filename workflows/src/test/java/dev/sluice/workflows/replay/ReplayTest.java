package dev.sluice.workflows.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.workflows.delete.DeleteWorkflow;
import dev.sluice.workflows.deploy.DeployWorkflow;
import dev.sluice.workflows.lane.FailureType;
import dev.sluice.workflows.lane.Lane;
import dev.sluice.workflows.lane.Step;
import dev.sluice.workflows.rollback.RollbackWorkflow;
import dev.sluice.workflows.upgrade.UpgradeWorkflow;
import dev.sluice.workflows.world.LaneTestServer;
import dev.sluice.workflows.world.World;
import io.temporal.testing.WorkflowReplayer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Histories of every shape that was ever released replay with today's code; otherwise a run in
 * flight would break at the next release. A changed workflow gets a {@code getVersion}, and a new
 * history beside the old ones: {@code mvn -pl workflows -am test -Dtest=ReplayTest
 * -Dhistories.record=v4 -Dsurefire.failIfNoSpecifiedTests=false}.
 */
class ReplayTest {

  private static final Path HISTORIES = Path.of("src/test/resources/history");

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

  @Test
  @EnabledIfSystemProperty(named = "histories.record", matches = ".+")
  void record() throws Exception {
    String shape = System.getProperty("histories.record");
    try (LaneTestServer server = new LaneTestServer(new World())) {
      server.signalWithStart("Deploy", 1);
      server.outcome();
      write("deploy-" + shape, server);
    }
    try (LaneTestServer server = new LaneTestServer(World.running(6, 7))) {
      server.signalWithStart("Upgrade", 7);
      server.outcome();
      write("upgrade-savepoint-" + shape, server);
      server.delete();
      server.outcome();
      write("delete-" + shape, server);
    }
    World kept = World.running(6, 6);
    kept.deletionSavepointMs = 600_000;
    try (LaneTestServer server = new LaneTestServer(kept)) {
      server.delete();
      server.outcome();
      write("delete-savepoint-" + shape, server);
    }
    World failing = World.running(6, 7);
    failing.gate.fail(Step.AWAIT_RUNNING, World.failure(FailureType.JOB_FAILED, "main threw"));
    try (LaneTestServer server = new LaneTestServer(failing)) {
      server.signalWithStart("Upgrade", 7);
      server.awaitParked();
      write("upgrade-parked-" + shape, server);
      server.signal(Lane.ABORT, "back");
      server.outcome();
      write("rollback-" + shape, server);
    }
  }

  private static void replay(String history) throws Exception {
    WorkflowReplayer.replayWorkflowExecution(
        history,
        DeployWorkflow.class,
        UpgradeWorkflow.class,
        RollbackWorkflow.class,
        DeleteWorkflow.class);
  }

  private static void write(String name, LaneTestServer server) throws Exception {
    Files.writeString(HISTORIES.resolve(name + ".json"), server.history() + "\n");
  }
}
