package dev.sluice.workflows.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.world.FakeEnvironment;
import dev.sluice.workflows.world.OperationTestServer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of {@code docs/operations.md}: what each request means at each step of an upgrade. */
class EveryStepTest {

  private final FakeEnvironment world = FakeEnvironment.running(6, 7);
  private final OperationTestServer server = new OperationTestServer(world);

  @AfterEach
  void noInvariantWasBroken() {
    world.gate.open();
    server.close();
    assertThat(world.violations).isEmpty();
  }

  static Stream<Step> steps() {
    return Stream.of(
        Step.OBSERVE,
        Step.FREEZE_TARGET,
        Step.STOP_WITH_SAVEPOINT,
        Step.RECORD_STATE,
        Step.DELETE_CLUSTER,
        Step.CREATE_CLUSTER,
        Step.AWAIT_JOB_MANAGER,
        Step.AWAIT_RUNNING,
        Step.MARK_STABLE);
  }

  private void heldAt(Step step) throws InterruptedException {
    world.gate.hold(step);
    server.signalWithStart("Upgrade", 7);
    world.gate.awaitReached();
  }

  /** A wait that changes nothing is left at once; every other step is carried to its end. */
  private void openUnlessLeft(Step step) {
    if (step != Step.AWAIT_JOB_MANAGER && step != Step.AWAIT_RUNNING) {
      world.gate.open();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "OBSERVE,             Aborted,    6, 0",
    "FREEZE_TARGET,       Aborted,    6, 0",
    "STOP_WITH_SAVEPOINT, RolledBack, 6, 1",
    "RECORD_STATE,        RolledBack, 6, 1",
    "DELETE_CLUSTER,      RolledBack, 6, 1",
    "CREATE_CLUSTER,      RolledBack, 6, 1",
    "AWAIT_JOB_MANAGER,   RolledBack, 6, 1",
    "AWAIT_RUNNING,       RolledBack, 6, 1",
    "MARK_STABLE,         Upgraded,   7, 1",
  })
  void abort(Step step, String result, long runs, int savepoints) throws Exception {
    heldAt(step);

    server.signal(LaneSignals.ABORT, "enough");
    openUnlessLeft(step);

    assertThat(server.outcome().result()).isEqualTo(result);
    assertThat(world.cluster).isEqualTo(runs);
    assertThat(world.jobState).isEqualTo("RUNNING");
    assertThat(world.savepoints).isEqualTo(savepoints);
    assertThat(world.startedFrom)
        .isEqualTo(savepoints == 0 ? "savepoint-before" : "savepoint-of-6");
  }

  @ParameterizedTest
  @CsvSource({
    "OBSERVE,             1",
    "FREEZE_TARGET,       1",
    "STOP_WITH_SAVEPOINT, 1",
    "RECORD_STATE,        1",
    "DELETE_CLUSTER,      1",
    "CREATE_CLUSTER,      1",
    "AWAIT_JOB_MANAGER,   1",
    "AWAIT_RUNNING,       1",
    "MARK_STABLE,         2",
  })
  void newerGeneration(Step step, int savepoints) throws Exception {
    heldAt(step);

    world.generation = 8;
    server.signalWithStart("Upgrade", 8);
    openUnlessLeft(step);

    assertThat(server.outcome()).extracting(OperationResult::generation).isEqualTo(8L);
    assertThat(world.cluster).isEqualTo(8);
    assertThat(world.stable).isEqualTo(8);
    assertThat(world.savepoints).isEqualTo(savepoints);
  }

  /** Sent by hand: Kubernetes says what is to be deleted. */
  @ParameterizedTest
  @MethodSource("steps")
  void aSignalThatDeletesNothing(Step step) throws Exception {
    heldAt(step);

    server.signal(LaneSignals.DELETE);
    world.gate.open();

    server.outcome();
    assertThat(world.cluster).isEqualTo(7);
    assertThat(world.stable).isEqualTo(7);
    assertThat(world.startedFrom).startsWith("savepoint-of-");
  }

  /** Sent by hand: Kubernetes says which spec is the newest. */
  @ParameterizedTest
  @MethodSource("steps")
  void aGenerationThatIsNotThere(Step step) throws Exception {
    heldAt(step);

    server.signal(LaneSignals.RETARGET, 999_999);
    world.gate.open();

    server.outcome();
    assertThat(world.cluster).isEqualTo(7);
    assertThat(world.stable).isEqualTo(7);
    assertThat(world.startedFrom).startsWith("savepoint-of-");
  }

  @ParameterizedTest
  @MethodSource("steps")
  void deletion(Step step) throws Exception {
    heldAt(step);

    server.delete();
    world.gate.open();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.DELETED);
    assertThat(world.cluster).isNull();
  }

  @ParameterizedTest
  @MethodSource("steps")
  void retryWhileNotParkedIsWithoutEffect(Step step) throws Exception {
    heldAt(step);

    server.signal(LaneSignals.RETRY);
    world.gate.open();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(world.calls).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @CsvSource({
    "OBSERVE,             1",
    "FREEZE_TARGET,       1",
    "STOP_WITH_SAVEPOINT, 1",
    "RECORD_STATE,        1",
    "DELETE_CLUSTER,      1",
    "CREATE_CLUSTER,      1",
    "AWAIT_JOB_MANAGER,   1",
    "AWAIT_RUNNING,       2",
    "MARK_STABLE,         1",
  })
  void runThatWasTerminatedIsTakenUpByANewOne(Step step, int savepoints) throws Exception {
    heldAt(step);
    server.lane().terminate("lost");
    world.gate.openAndFinish();

    server.signalWithStart("Upgrade", 7);

    assertThat(server.outcome().generation()).isEqualTo(7);
    assertThat(world.cluster).isEqualTo(7);
    assertThat(world.jobState).isEqualTo("RUNNING");
    assertThat(world.savepoints).isEqualTo(savepoints);
  }
}
