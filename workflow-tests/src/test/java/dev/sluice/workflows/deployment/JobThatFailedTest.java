package dev.sluice.workflows.deployment;

import static dev.sluice.workflows.fake.FakeEnvironment.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.StableAfter;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.fake.FakeEnvironment;
import dev.sluice.workflows.fake.OperationTestServer;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.Standing;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A job that was up and fails before it is stable: without high availability its JobManager would
 * begin it again with its next pod, from what it was started with; with it nobody would know any
 * more what it left.
 */
@Execution(ExecutionMode.CONCURRENT)
class JobThatFailedTest {

  private static final StateRef NEWEST = new StateRef.Checkpoint("chk-of-7");

  private final FakeEnvironment environment = FakeEnvironment.running(6, 7);
  private final OperationTestServer server = new OperationTestServer(environment);

  @AfterEach
  void noInvariantWasBroken() {
    environment.gate.open();
    server.close();
    assertThat(environment.violations).isEmpty();
  }

  private void isWaitedForUntilItIsStable() throws InterruptedException {
    environment.stableAfter = new StableAfter(120_000);
    environment.gate.hold(Step.AWAIT_STABLE);
    server.signalWithStart("Upgrade", 7);
    environment.gate.awaitReached();
    environment.gate.fail(Step.AWAIT_STABLE, failure(FailureType.JOB_FAILED, "no such topic"));
  }

  private void hasFailed(StateRef newest, boolean progressed) {
    environment.jobState = FlinkJobState.FAILED;
    environment.newest = newest;
    environment.progressed = progressed;
  }

  private void isParked() {
    environment.gate.open();
    await().until(() -> environment.lastReported() == OperationState.PARKED);
  }

  @Test
  void itsJobManagerIsStoppedBeforeTheRunIsParked() throws Exception {
    isWaitedForUntilItIsStable();
    hasFailed(NEWEST, true);

    isParked();

    assertThat(Objects.requireNonNull(environment.stopped).leftState()).isEqualTo(NEWEST);
    assertThat(environment.stopped.state()).isEqualTo(FlinkJobState.FAILED);
    assertThat(environment.reports)
        .last()
        .satisfies(
            it ->
                assertThat(it.message())
                    .contains("no such topic", "JobManager is stopped", "checkpoint chk-of-7"));
  }

  @Test
  void aRetryGoesOnFromWhatItLeft() throws Exception {
    isWaitedForUntilItIsStable();
    hasFailed(NEWEST, true);
    isParked();

    server.signal(LaneSignals.RETRY);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.startedFrom).isEqualTo(NEWEST);
  }

  @Test
  void aRunThatTakesOverStopsItAsWell() throws Exception {
    isWaitedForUntilItIsStable();
    server.lane().terminate("lost");
    hasFailed(NEWEST, true);
    environment.gate.open();

    server.signalWithStart("Upgrade", 7);

    await().until(() -> environment.lastReported() == OperationState.PARKED);
    assertThat(Objects.requireNonNull(environment.stopped).leftState()).isEqualTo(NEWEST);
  }

  /** The next spec goes on from there all the same. */
  @Test
  void ofAStatelessSpecARetryStartsEmptyAndIsSaidToDoSo() throws Exception {
    environment.mode = UpgradeMode.STATELESS;
    isWaitedForUntilItIsStable();
    hasFailed(NEWEST, true);

    isParked();

    assertThat(environment.reports)
        .last()
        .satisfies(
            it ->
                assertThat(it.message())
                    .contains("retry starts the spec empty", "goes on from checkpoint chk-of-7")
                    .doesNotContain("retry and a newer spec go on"));

    // and when
    server.signal(LaneSignals.RETRY);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.startedFrom).isInstanceOf(StateRef.Empty.class);
  }

  @Test
  void aSpecWithSavepointGoesOnFromWhatTheStatelessOneLeft() throws Exception {
    environment.mode = UpgradeMode.STATELESS;
    isWaitedForUntilItIsStable();
    hasFailed(NEWEST, true);
    isParked();

    environment.mode = UpgradeMode.SAVEPOINT;
    environment.generation = 8;
    server.signalWithStart("Upgrade", 8);

    assertThat(server.outcome().generation()).isEqualTo(8);
    assertThat(environment.startedFrom).isEqualTo(NEWEST);
  }

  /** Flink remembers that it has ended; a JobManager that is restarted knows nothing of it. */
  @Test
  void withHighAvailabilityWhatItLeftIsNotedAndItsJobManagerStays() throws Exception {
    environment.highAvailability = HighAvailability.NO_METADATA;
    isWaitedForUntilItIsStable();
    hasFailed(NEWEST, true);

    isParked();

    assertThat(environment.stopped).isNull();
    assertThat(Objects.requireNonNull(environment.noted).leftState()).isEqualTo(NEWEST);
    assertThat(environment.noted.state()).isEqualTo(FlinkJobState.FAILED);
    assertThat(environment.noted.plannedFor())
        .isEqualTo(new Standing(Phase.UPGRADING, 7L, environment.jobId));
  }

  /**
   * What it was started from is not known to be its newest state any more, once it is forgotten.
   */
  @Test
  void alsoOfOneThatHasNotProgressed() throws Exception {
    StateRef before = new StateRef.Savepoint("savepoint-of-6");
    environment.highAvailability = HighAvailability.NO_METADATA;
    isWaitedForUntilItIsStable();
    hasFailed(before, false);

    isParked();

    assertThat(Objects.requireNonNull(environment.noted).leftState()).isEqualTo(before);

    // and when
    environment.jobState = null; // its JobManager was restarted
    environment.restoreFrom = "s3://mine";
    server.signal(LaneSignals.RETRY);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.startedFrom).isEqualTo(new StateRef.Savepoint("s3://mine"));
  }

  /** Its JobManager may be the only one that can be asked. */
  @Test
  void whatItLeftIsNotGuessed() throws Exception {
    isWaitedForUntilItIsStable();
    hasFailed(new StateRef.Unknown("Flink does not tell"), true);

    isParked();

    assertThat(environment.stopped).isNull();
  }

  @Test
  void aJobThatHasNotProgressedLosesNothingWhenItBeginsAgain() throws Exception {
    isWaitedForUntilItIsStable();
    hasFailed(new StateRef.Savepoint("savepoint-of-6"), false);

    isParked();

    assertThat(environment.stopped).isNull();
  }

  @Test
  void aJobManagerThatDoesNotAnswerStays() throws Exception {
    isWaitedForUntilItIsStable();
    hasFailed(NEWEST, true);
    environment.reachable = false;

    isParked();

    assertThat(environment.stopped).isNull();
  }

  @Test
  void whereTheUpgradeIsRolledBackItsClusterGoesAtOnce() throws Exception {
    environment.rollsBack = true;
    isWaitedForUntilItIsStable();
    hasFailed(NEWEST, true);

    environment.gate.open();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.ROLLED_BACK);
    assertThat(environment.stopped).isNull();
  }
}
