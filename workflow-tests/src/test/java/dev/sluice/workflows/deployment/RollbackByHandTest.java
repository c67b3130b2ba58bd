package dev.sluice.workflows.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationState;
import dev.sluice.workflows.fake.FakeEnvironment;
import dev.sluice.workflows.fake.OperationTestServer;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * {@code sluice.dev/rollback}, while no operation is open: generation 7 runs, 5 is gone back to.
 */
@Execution(ExecutionMode.CONCURRENT)
class RollbackByHandTest {

  private static final StateRef LEFT = new StateRef.Savepoint("savepoint-of-5");

  private final FakeEnvironment environment = FakeEnvironment.running(7, 7);
  private final OperationTestServer server = new OperationTestServer(environment);

  RollbackByHandTest() {
    environment.revision = 5L;
    environment.revisionLeft = LEFT;
  }

  @AfterEach
  void noInvariantWasBroken() {
    environment.gate.open();
    server.close();
    assertThat(environment.violations).isEmpty();
  }

  @Test
  void theEarlierSpecStartsFromWhatItLeft() throws Exception {
    server.rollBack(7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.ROLLED_BACK);
    assertThat(environment.cluster).isEqualTo(5);
    assertThat(environment.stable).isEqualTo(5);
    assertThat(environment.startedFrom).isEqualTo(LEFT);
    assertThat(environment.savepoints).isZero();
  }

  @Test
  void theNewestStateIsTakenWhereItIsAskedFor() throws Exception {
    environment.revisionLeft = null;

    server.rollBack(7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.ROLLED_BACK);
    assertThat(environment.cluster).isEqualTo(5);
    assertThat(environment.startedFrom).isEqualTo(new StateRef.Savepoint("savepoint-of-7"));
  }

  @Test
  void aJobThatHasFailedIsNoObstacle() throws Exception {
    environment.jobState = FlinkJobState.FAILED;

    server.rollBack(7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.ROLLED_BACK);
    assertThat(environment.startedFrom).isEqualTo(LEFT);
  }

  @Test
  void aJobManagerThatDoesNotAnswerIsNoObstacle() throws Exception {
    environment.reachable = false;

    server.rollBack(7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.ROLLED_BACK);
    assertThat(environment.startedFrom).isEqualTo(LEFT);
  }

  @Test
  void whereNothingIsKeptTheJobIsNotTouched() throws Exception {
    environment.revision = null;

    server.rollBack(7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.ABORTED);
    assertThat(environment.lastReported()).isEqualTo(OperationState.ABORTED);
    assertThat(environment.reports.get(environment.reports.size() - 1).message())
        .isEqualTo("Not rolled back: no spec before generation 7 is kept");
    assertThat(environment.cluster).isEqualTo(7);
    assertThat(environment.jobState).isEqualTo(FlinkJobState.RUNNING);
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "FREEZE_TARGET",
        "CANCEL_JOB",
        "RECORD_STATE",
        "DELETE_CLUSTER",
        "CREATE_CLUSTER",
        "AWAIT_RUNNING"
      })
  void aRunThatWasTerminatedIsTakenUpByANewOne(Step step) throws Exception {
    environment.gate.hold(step);
    server.rollBack(7);
    environment.gate.awaitReached();
    environment.gate.finishAfter(() -> server.lane().terminate("lost"));

    server.signalWithStart("Rollback", 7);

    server.outcome();
    assertThat(environment.cluster).isEqualTo(5);
    assertThat(environment.stable).isEqualTo(5);
    assertThat(environment.startedFrom).isEqualTo(LEFT);
  }

  @ParameterizedTest
  @EnumSource(names = {"CANCEL_JOB", "RECORD_STATE", "CREATE_CLUSTER", "AWAIT_RUNNING"})
  void aNewerSpecWins(Step step) throws Exception {
    environment.gate.hold(step);
    server.rollBack(7);
    environment.gate.awaitReached();

    environment.generation = 8;
    server.signalWithStart("Upgrade", 8);
    if (step != Step.AWAIT_RUNNING) { // left at once
      environment.gate.open();
    }

    assertThat(server.outcome().generation()).isEqualTo(8);
    assertThat(environment.cluster).isEqualTo(8);
  }

  @ParameterizedTest
  @EnumSource(names = {"OBSERVE", "FREEZE_TARGET", "CANCEL_JOB", "CREATE_CLUSTER"})
  void aDeletionWins(Step step) throws Exception {
    environment.gate.hold(step);
    server.rollBack(7);
    environment.gate.awaitReached();

    server.delete();
    if (step != Step.CANCEL_JOB) { // left at once
      environment.gate.open();
    }

    assertThat(server.outcome().result()).isEqualTo(OperationResult.DELETED);
    assertThat(environment.cluster).isNull();
  }

  @Test
  void anAbortHasNoMeaning() throws Exception {
    environment.gate.hold(Step.CANCEL_JOB);
    server.rollBack(7);
    environment.gate.awaitReached();

    server.signal(LaneSignals.ABORT, "no");
    environment.gate.open();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.ROLLED_BACK);
  }
}
