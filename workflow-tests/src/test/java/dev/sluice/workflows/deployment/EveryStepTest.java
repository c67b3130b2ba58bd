package dev.sluice.workflows.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.StableAfter;
import dev.sluice.workflows.fake.FakeEnvironment;
import dev.sluice.workflows.fake.OperationTestServer;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of {@code docs/operations.md}: what each request means at each step of an upgrade. */
@Execution(ExecutionMode.CONCURRENT)
class EveryStepTest {

  private static final Set<Step> LEFT_AT_ONCE =
      Set.of(Step.AWAIT_JOB_MANAGER, Step.AWAIT_RUNNING, Step.AWAIT_STABLE);

  private final FakeEnvironment environment = FakeEnvironment.running(6, 7);
  private final OperationTestServer server = new OperationTestServer(environment);

  @AfterEach
  void noInvariantWasBroken() {
    environment.gate.open();
    server.close();
    assertThat(environment.violations).isEmpty();
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
        Step.AWAIT_STABLE,
        Step.MARK_STABLE);
  }

  private void heldAt(Step step) throws InterruptedException {
    if (step == Step.AWAIT_STABLE) {
      environment.stableAfter = new StableAfter(120_000);
    }
    environment.gate.hold(step);
    server.signalWithStart("Upgrade", 7);
    environment.gate.awaitReached();
  }

  /** A wait that changes nothing is left at once; every other step is carried to its end. */
  private void openUnlessLeft(Step step) {
    if (!LEFT_AT_ONCE.contains(step)) {
      environment.gate.open();
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
    "AWAIT_STABLE,        RolledBack, 6, 1",
    "MARK_STABLE,         Upgraded,   7, 1",
  })
  void abort(Step step, String result, long runs, int savepoints) throws Exception {
    heldAt(step);

    server.signal(LaneSignals.ABORT, "enough");
    openUnlessLeft(step);

    assertThat(server.outcome().result()).isEqualTo(result);
    assertThat(environment.cluster).isEqualTo(runs);
    assertThat(environment.jobState).isEqualTo(FlinkJobState.RUNNING);
    assertThat(environment.savepoints).isEqualTo(savepoints);
    assertThat(environment.startedFrom)
        .isEqualTo(new StateRef.Savepoint(savepoints == 0 ? "savepoint-before" : "savepoint-of-6"));
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
    "AWAIT_STABLE,        2",
    "MARK_STABLE,         2",
  })
  void newerGeneration(Step step, int savepoints) throws Exception {
    heldAt(step);

    environment.generation = 8;
    server.signalWithStart("Upgrade", 8);
    openUnlessLeft(step);

    assertThat(server.outcome()).extracting(OperationResult::generation).isEqualTo(8L);
    assertThat(environment.cluster).isEqualTo(8);
    assertThat(environment.stable).isEqualTo(8);
    assertThat(environment.savepoints).isEqualTo(savepoints);
  }

  /** Sent by hand: Kubernetes says what is to be deleted. */
  @ParameterizedTest
  @MethodSource("steps")
  void aSignalThatDeletesNothing(Step step) throws Exception {
    heldAt(step);

    server.signal(LaneSignals.DELETE);
    environment.gate.open();

    server.outcome();
    assertThat(environment.cluster).isEqualTo(7);
    assertThat(environment.stable).isEqualTo(7);
    assertThat(environment.startedFrom.display()).startsWith("savepoint savepoint-of-");
  }

  /** Sent by hand: Kubernetes says which spec is the newest. */
  @ParameterizedTest
  @MethodSource("steps")
  void aGenerationThatIsNotThere(Step step) throws Exception {
    heldAt(step);

    server.signal(LaneSignals.RETARGET, 999_999);
    environment.gate.open();

    server.outcome();
    assertThat(environment.cluster).isEqualTo(7);
    assertThat(environment.stable).isEqualTo(7);
    assertThat(environment.startedFrom.display()).startsWith("savepoint savepoint-of-");
  }

  @ParameterizedTest
  @MethodSource("steps")
  void deletion(Step step) throws Exception {
    heldAt(step);

    server.delete();
    openUnlessLeft(step);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.DELETED);
    assertThat(environment.cluster).isNull();
  }

  @ParameterizedTest
  @MethodSource("steps")
  void retryWhileNotParkedIsWithoutEffect(Step step) throws Exception {
    heldAt(step);

    server.signal(LaneSignals.RETRY);
    environment.gate.open();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.calls)
        .filteredOn(call -> !call.equals(Step.REPORT.title()))
        .doesNotHaveDuplicates();
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
    "AWAIT_STABLE,        1",
    "MARK_STABLE,         1",
  })
  void runThatWasTerminatedIsTakenUpByANewOne(Step step, int savepoints) throws Exception {
    heldAt(step);
    environment.gate.finishAfter(() -> server.lane().terminate("lost"));

    server.signalWithStart("Upgrade", 7);

    assertThat(server.outcome().generation()).isEqualTo(7);
    assertThat(environment.cluster).isEqualTo(7);
    assertThat(environment.jobState).isEqualTo(FlinkJobState.RUNNING);
    assertThat(environment.savepoints).isEqualTo(savepoints);
  }
}
