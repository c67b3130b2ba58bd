package dev.sluice.workflows.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.fake.FakeEnvironment;
import dev.sluice.workflows.fake.OperationTestServer;
import dev.sluice.workflows.model.JobObservation.Times;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Every decision is written into the status in one sentence, with what is written anyway. */
@Execution(ExecutionMode.CONCURRENT)
class DecisionToldTest {

  private final FakeEnvironment environment = FakeEnvironment.running(6, 7);
  private final OperationTestServer server = new OperationTestServer(environment);

  @AfterEach
  void noInvariantWasBroken() {
    environment.gate.open();
    server.close();
    assertThat(environment.violations).isEmpty();
  }

  @Test
  void thatOfAnUpgradeIsWrittenWithItsTargetAndNotAgain() {
    server.signalWithStart("Upgrade", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.plans)
        .singleElement()
        .isEqualTo("Upgrading to generation 7. The job runs; it is stopped with a savepoint.");
  }

  @Test
  void theOneThatARunTakesAnewIsWrittenWithTheStateThatItLeadsTo() {
    environment.gate.fail(
        Step.AWAIT_RUNNING, FakeEnvironment.failure(FailureType.JOB_FAILED, "no such topic"));
    server.signalWithStart("Upgrade", 7);
    server.awaitHeld();
    environment.jobState = FlinkJobState.FAILED;
    environment.newest = new StateRef.Checkpoint("chk-of-7");
    environment.progressed = true;

    server.signal(LaneSignals.RETRY);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.plans).hasSizeGreaterThan(1);
    assertThat(List.copyOf(environment.plans).get(environment.plans.size() - 1))
        .startsWith("Upgrading to generation 7. ")
        .contains("FAILED");
  }

  /** Otherwise the next savepoint begins meanwhile, and is waited for, too. */
  @Test
  void thatASavepointIsWaitedForIsSaidBeforeTheWait() throws InterruptedException {
    environment.times = new Times(9_000, 1_000, 0, 0, 8_000, 8_999);
    environment.gate.holdAfter(1, Step.OBSERVE);

    server.signalWithStart("Upgrade", 7);
    environment.gate.awaitReached();

    assertThat(environment.reports)
        .singleElement()
        .satisfies(
            report -> {
              assertThat(report.state()).isEqualTo(OperationState.RUNNING);
              assertThat(report.message()).startsWith("A savepoint of the job is in progress");
            });
    environment.times = Times.UNKNOWN;
    environment.gate.open();
    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
  }

  /** The status says so already, and that it is blocked. */
  @Test
  void aSavepointThatIsWaitedForLongIsBlockedOnce() {
    environment.times = new Times(9_000, 1_000, 0, 0, 8_000, 8_999);

    server.signalWithStart("Upgrade", 7);
    server.awaitHeld();
    server.signal(LaneSignals.RETRY);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.reports)
        .extracting(OperationReport::state)
        .startsWith(OperationState.RUNNING, OperationState.BLOCKED);
  }

  @Test
  void thatOfARecoverySaysWhatTheJobStartsFrom() {
    environment.generation = 6;
    environment.jobState = FlinkJobState.FAILED;
    environment.newest = new StateRef.Checkpoint("chk-42");

    server.recover(RecoveryCause.JOB_FAILED, "job job-of-6 is FAILED: no such topic");

    assertThat(server.outcome().result()).isEqualTo(OperationResult.RECOVERED);
    assertThat(environment.plans)
        .singleElement()
        .satisfies(
            plan -> assertThat(plan).startsWith("Recovering generation 6. ").contains("FAILED"));
  }
}
