package dev.sluice.workflows.replay;

import dev.sluice.workflows.operation.FailureType;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.world.FakeEnvironment;
import dev.sluice.workflows.world.OperationTestServer;
import java.nio.file.Files;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Writes the histories that {@link ReplayTest} replays. A tool, so its name is not a test's: {@code
 * mvn -pl workflows -am test -Dtest=HistoryRecorder -Dhistories.record=v5
 * -Dsurefire.failIfNoSpecifiedTests=false}.
 */
class HistoryRecorder {

  @Test
  void record() throws Exception {
    String shape =
        Objects.requireNonNull(System.getProperty("histories.record"), "histories.record");
    try (OperationTestServer server = new OperationTestServer(new FakeEnvironment())) {
      server.signalWithStart("Deploy", 1);
      server.outcome();
      write("deploy-" + shape, server);
    }
    try (OperationTestServer server = new OperationTestServer(FakeEnvironment.running(6, 7))) {
      server.signalWithStart("Upgrade", 7);
      server.outcome();
      write("upgrade-savepoint-" + shape, server);
      server.delete();
      server.outcome();
      write("delete-" + shape, server);
    }
    FakeEnvironment kept = FakeEnvironment.running(6, 6);
    kept.deletionSavepointMs = 600_000;
    try (OperationTestServer server = new OperationTestServer(kept)) {
      server.delete();
      server.outcome();
      write("delete-savepoint-" + shape, server);
    }
    FakeEnvironment failing = FakeEnvironment.running(6, 7);
    failing.gate.fail(
        Step.AWAIT_RUNNING, FakeEnvironment.failure(FailureType.JOB_FAILED, "main threw"));
    try (OperationTestServer server = new OperationTestServer(failing)) {
      server.signalWithStart("Upgrade", 7);
      server.awaitParked();
      write("upgrade-parked-" + shape, server);
      server.signal(LaneSignals.ABORT, "back");
      server.outcome();
      write("rollback-" + shape, server);
    }
  }

  private static void write(String name, OperationTestServer server) throws Exception {
    Files.writeString(ReplayTest.HISTORIES.resolve(name + ".json"), server.history() + "\n");
  }
}
