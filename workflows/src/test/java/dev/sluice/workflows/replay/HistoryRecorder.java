package dev.sluice.workflows.replay;

import dev.sluice.workflows.lane.FailureType;
import dev.sluice.workflows.lane.Lane;
import dev.sluice.workflows.lane.Step;
import dev.sluice.workflows.world.LaneTestServer;
import dev.sluice.workflows.world.World;
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

  private static void write(String name, LaneTestServer server) throws Exception {
    Files.writeString(ReplayTest.HISTORIES.resolve(name + ".json"), server.history() + "\n");
  }
}
