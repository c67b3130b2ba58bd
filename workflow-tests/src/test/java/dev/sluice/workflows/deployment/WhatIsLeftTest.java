package dev.sluice.workflows.deployment;

import static dev.sluice.workflows.fake.FakeEnvironment.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.fake.FakeEnvironment;
import dev.sluice.workflows.fake.OperationTestServer;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationProgress.Held;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a run takes over from one that was lost, and what it leaves behind. */
class WhatIsLeftTest {

  private static final StateRef SAVEPOINT = new StateRef.Savepoint("savepoint-of-6");

  private final FakeEnvironment environment = FakeEnvironment.running(6, 7);
  private final OperationTestServer server = new OperationTestServer(environment);

  @AfterEach
  void noInvariantWasBroken() {
    environment.gate.open();
    server.close();
    assertThat(environment.violations).isEmpty();
  }

  @Test
  void anAbortBeforeTheFirstObservationIsAnsweredAfterIt() throws Exception {
    givenAnUpgradeThatWasLostAfterTheOldClusterWasDeleted();
    environment.gate.hold(Step.OBSERVE);
    server.signalWithStart("Upgrade", 7);
    environment.gate.awaitReached();

    server.signal(LaneSignals.ABORT, "too risky");
    environment.gate.open();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.ROLLED_BACK);
    assertThat(environment.stable).isEqualTo(6);
    assertThat(environment.startedFrom).isEqualTo(SAVEPOINT);
  }

  @Test
  void aDeletionNamesTheStateThatAnUpgradeHadTaken() throws Exception {
    environment.gate.hold(Step.CREATE_CLUSTER);
    server.signalWithStart("Upgrade", 7);
    environment.gate.awaitReached();

    server.delete();
    environment.gate.open();

    assertThat(server.outcome().message()).contains("savepoint-of-6");
  }

  @Test
  void noAbortIsOfferedWhileItIsNotKnownWhetherTheJobHasStopped() {
    for (int i = 0; i < 100; i++) {
      environment.gate.fail(
          Step.STOP_WITH_SAVEPOINT, failure(FailureType.TIMED_OUT, "no answer in time"));
    }

    server.signalWithStart("Upgrade", 7);

    assertThat(server.awaitHeld().offersAbort()).isFalse();
    assertThat(server.currentDetails()).doesNotContain("signal `abort`");
  }

  @Test
  void theNewJobIsNamedOnceItIsLookedAt() {
    for (int i = 0; i < 100; i++) {
      environment.gate.fail(
          Step.AWAIT_JOB_MANAGER, failure(FailureType.IMAGE_PULL_FAILED, "no such image"));
    }

    server.signalWithStart("Upgrade", 7);

    assertThat(server.awaitHeld().job()).doesNotContain("job-of-6");
  }

  @Test
  void aStopThatLeavesAnUnknownStateStartsNothing() {
    environment.jobState = FlinkJobState.FINISHED;
    environment.newest = new StateRef.Unknown("its statistics are gone");

    server.signalWithStart("Upgrade", 7);

    Held held = server.awaitHeld();
    assertThat(held.reason()).isEqualTo(Reasons.STATE_NOT_FOUND);
    assertThat(held.offersRestoreFrom()).isTrue();
    assertThat(environment.records).isEmpty();
  }

  private void givenAnUpgradeThatWasLostAfterTheOldClusterWasDeleted() {
    environment.phase = Phase.UPGRADING;
    environment.frozen = 7L;
    environment.frozenMode = UpgradeMode.SAVEPOINT;
    environment.recorded = new RestorePoint(SAVEPOINT, "job-of-6", "f".repeat(32));
    environment.preparedJobId = "job-of-6";
    environment.cluster = null;
    environment.jobId = null;
    environment.jobState = null;
  }
}
