package dev.sluice.workflows.deployment;

import static dev.sluice.workflows.fake.FakeEnvironment.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationState;
import dev.sluice.workflows.activity.FailureType;
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

/** {@code sluice.dev/rollback}, while the upgrade from 7 to 8 is open. */
@Execution(ExecutionMode.CONCURRENT)
class RollbackAtTheEndTest {

  private static final StateRef LEFT = new StateRef.Savepoint("savepoint-of-7");

  private final FakeEnvironment environment = FakeEnvironment.running(7, 8);
  private final OperationTestServer server = new OperationTestServer(environment);

  RollbackAtTheEndTest() {
    environment.revision = 7L;
    environment.revisionLeft = LEFT;
  }

  @AfterEach
  void noInvariantWasBroken() {
    environment.gate.open();
    server.close();
    assertThat(environment.violations).isEmpty();
  }

  @Test
  void aRequestThatComesWhenTheUpgradeCannotBeAbortedAnyMoreIsCarriedOutAfterIt() throws Exception {
    environment.gate.hold(Step.MARK_STABLE);
    server.signalWithStart("Upgrade", 8);
    environment.gate.awaitReached();

    server.signal(LaneSignals.ROLLBACK, "latency doubled");
    environment.gate.open();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.ROLLED_BACK);
    assertThat(environment.cluster).isEqualTo(7);
    assertThat(environment.startedFrom).isEqualTo(LEFT);
  }

  @Test
  void anAbortAtThatMomentIsNoRequestForARollback() throws Exception {
    environment.gate.hold(Step.MARK_STABLE);
    server.signalWithStart("Upgrade", 8);
    environment.gate.awaitReached();

    server.signal(LaneSignals.ABORT, "too late");
    environment.gate.open();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.cluster).isEqualTo(8);
  }

  @Test
  void beforeThatItIsAnAbort() throws Exception {
    environment.gate.hold(Step.CREATE_CLUSTER);
    server.signalWithStart("Upgrade", 8);
    environment.gate.awaitReached();

    server.signal(LaneSignals.ROLLBACK, "latency doubled");
    environment.gate.open();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.ROLLED_BACK);
    assertThat(environment.cluster).isEqualTo(7);
    assertThat(environment.stable).isEqualTo(7);
  }

  @Test
  void aNewerSpecComesBeforeItAndTheRequestIsDropped() throws Exception {
    environment.gate.hold(Step.MARK_STABLE);
    server.signalWithStart("Upgrade", 8);
    environment.gate.awaitReached();

    server.signal(LaneSignals.ROLLBACK, "latency doubled");
    environment.generation = 9;
    server.signalWithStart("Upgrade", 9);
    environment.gate.open();

    assertThat(server.outcome().generation()).isEqualTo(9);
    assertThat(environment.answers)
        .singleElement()
        .satisfies(it -> assertThat(it.message()).contains("a newer spec came first"));
  }

  /** The answer to the request cannot be written when the first of them comes. */
  @Test
  void aSecondNewerSpecThatComesBeforeTheAnswerDoesNotLoseIt() throws Exception {
    environment.gate.hold(Step.MARK_STABLE);
    server.signalWithStart("Upgrade", 8);
    environment.gate.awaitReached();
    server.signal(LaneSignals.ROLLBACK, "latency doubled");
    environment.gate.fail(Step.REPORT, failure(FailureType.REFUSED, "exceeded quota"));
    environment.generation = 9;
    server.signalWithStart("Upgrade", 9);
    environment.gate.open();
    await().until(() -> environment.lastReported() == OperationState.BLOCKED);

    environment.generation = 10;
    server.signalWithStart("Upgrade", 10);

    assertThat(server.outcome().generation()).isEqualTo(10);
    assertThat(environment.answers)
        .singleElement()
        .satisfies(it -> assertThat(it.message()).contains("a newer spec came first"));
  }

  @Test
  void aRunThatIsCancelledInTemporalCarriesItOutAsWell() throws Exception {
    environment.gate.hold(Step.MARK_STABLE);
    server.signalWithStart("Upgrade", 8);
    environment.gate.awaitReached();

    server.signal(LaneSignals.ROLLBACK, "latency doubled");
    server.lane().cancel();
    environment.gate.open();

    await().until(() -> Long.valueOf(7).equals(environment.stable));
    assertThat(environment.cluster).isEqualTo(7);
  }

  @Test
  void oneThatReachesAFinishIsCarriedOutAfterIt() throws Exception {
    environment.generation = 8;
    environment.frozen = 8L;
    environment.stable = 8L;
    environment.cluster = 8L;
    environment.jobState = FlinkJobState.FINISHED;
    environment.gate.hold(Step.STOP_JOB_MANAGER);
    server.signalWithStart("Finish", 8);
    environment.gate.awaitReached();

    server.signal(LaneSignals.ROLLBACK, "wrong totals");
    environment.gate.open();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.ROLLED_BACK);
    assertThat(environment.cluster).isEqualTo(7);
    assertThat(environment.startedFrom).isEqualTo(LEFT);
  }
}
