package dev.sluice.workflows.replay;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.fake.FakeEnvironment;
import dev.sluice.workflows.fake.OperationTestServer;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.Step;
import java.nio.file.Files;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Writes the histories that {@link ReplayTest} replays. A tool, so its name is not a test's: {@code
 * mvn -pl workflow-tests -am test -Dtest=HistoryRecorder -Dhistories.record=v7
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
    try (OperationTestServer server = new OperationTestServer(finished())) {
      server.signalWithStart("Finish", 6);
      server.outcome();
      write("finish-" + shape, server);
    }
    FakeEnvironment failing = FakeEnvironment.running(6, 7);
    failing.gate.fail(
        Step.AWAIT_RUNNING, FakeEnvironment.failure(FailureType.JOB_FAILED, "main threw"));
    try (OperationTestServer server = new OperationTestServer(failing)) {
      server.signalWithStart("Upgrade", 7);
      server.awaitHeld();
      write("upgrade-parked-" + shape, server);
      server.signal(LaneSignals.ABORT, "back");
      server.outcome();
      write("rollback-" + shape, server);
    }
  }

  private static FakeEnvironment finished() {
    FakeEnvironment finished = FakeEnvironment.running(6, 6);
    finished.jobState = FlinkJobState.FINISHED;
    finished.newest = new StateRef.Empty("it finished by itself");
    return finished;
  }

  private static void write(String name, OperationTestServer server) throws Exception {
    Files.writeString(ReplayTest.HISTORIES.resolve(name + ".json"), server.history() + "\n");
  }
}
