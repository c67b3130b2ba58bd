package dev.sluice.workflows.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.api.common.RecoveryStatus;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities.RunRef;
import dev.sluice.workflows.fake.FakeEnvironment;
import dev.sluice.workflows.fake.OperationTestServer;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.JobObservation.Times;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationInput.SeenUnhealthy;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a job is not lost any more, and when that is not known. */
@Execution(ExecutionMode.CONCURRENT)
class RecoverEndTest {

  private final FakeEnvironment environment = FakeEnvironment.running(6, 6);
  private final OperationTestServer server = new OperationTestServer(environment);

  @AfterEach
  void noInvariantWasBroken() {
    environment.gate.open();
    server.close();
    assertThat(environment.violations).isEmpty();
  }

  private void counted(int attempts, RecoveryCause cause) {
    environment.recovery = new RecoveryStatus(attempts, null, cause);
  }

  private void failed() {
    environment.jobState = FlinkJobState.FAILED;
    environment.newest = new StateRef.Checkpoint("chk-42");
  }

  /** The run that left the status so is lost. */
  private void leftOpen(OperationState state) {
    environment.reports.add(
        new OperationReport(
            FakeEnvironment.ORDERS,
            new RunRef("Recover", "lane", "a run that was lost"),
            state,
            Step.OBSERVE.title(),
            6,
            null,
            "Waits",
            null,
            null,
            null,
            null));
  }

  private void recoverFailed() {
    server.recover(RecoveryCause.JOB_FAILED, "job job-of-6 is FAILED: no such topic");
  }

  /** Otherwise the controller would start it again for ever. */
  @Test
  void aRunThatFindsNothingToDoEndsTheOperationThatALostRunLeftOpen() {
    leftOpen(OperationState.PARKED);

    recoverFailed();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UP_TO_DATE);
    assertThat(environment.lastReported()).isEqualTo(OperationState.SUCCEEDED);
  }

  /** So that the next loss, months later, is not taken for the one after the last attempt. */
  @Test
  void aJobThatIsUpByItselfIsCountedAsUpSinceThen() {
    leftOpen(OperationState.PARKED);
    counted(5, RecoveryCause.JOB_FAILED);

    recoverFailed();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UP_TO_DATE);
    assertThat(environment.recovery.attempts()).isEqualTo(5);
    assertThat(environment.recovery.since()).isNotNull();
    assertThat(environment.phase).isEqualTo(Phase.IDLE);
    assertThat(environment.lastReported()).isEqualTo(OperationState.SUCCEEDED);
  }

  @Test
  void aJobThatWasCancelledMeanwhileIsNotCountedAsUp() {
    environment.jobState = FlinkJobState.CANCELED;
    counted(5, RecoveryCause.JOB_FAILED);

    recoverFailed();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UP_TO_DATE);
    assertThat(environment.recovery.since()).isNull();
  }

  @Test
  void aJobManagerThatDoesNotAnswerHasNeitherRecoveredTheJobNorLostIt() {
    failed();
    counted(5, RecoveryCause.JOB_FAILED);
    environment.reachable = false;

    recoverFailed();

    assertThat(server.awaitHeld().reason()).isEqualTo(Reasons.BLOCKED);
    // the report is written after the run has said so itself
    await().until(environment::lastReported, OperationState.BLOCKED::equals);
    assertThat(environment.recovery.since()).isNull();
    assertThat(environment.phase).isEqualTo(Phase.IDLE);
  }

  @Test
  void onceTheJobManagerAnswersAgainAJobThatHasFailedIsBroughtBack() {
    failed();
    environment.reachable = false;
    recoverFailed();
    server.awaitHeld();

    environment.reachable = true;

    assertThat(server.outcome().result()).isEqualTo(OperationResult.RECOVERED);
    assertThat(environment.startedFrom).isEqualTo(new StateRef.Checkpoint("chk-42"));
  }

  /** Flink remembers that it has ended, and does not list it. */
  @Test
  void aFailedJobWhoseJobManagerWasRestartedWithHighAvailabilityIsStillLost() {
    environment.jobState = null;
    environment.highAvailability = HighAvailability.NO_METADATA;

    recoverFailed();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.RECOVERED);
    assertThat(environment.recovery.attempts()).isEqualTo(1);
  }

  @Test
  void withoutHighAvailabilityAJobManagerThatHasNoJobYetMayBeginIt() {
    environment.jobState = null;

    recoverFailed();

    assertThat(server.awaitHeld().reason()).isEqualTo(Reasons.BLOCKED);
    assertThat(environment.phase).isEqualTo(Phase.IDLE);
  }

  @Test
  void aJobThatCompletesCheckpointsSinceItWasSeenUnhealthyIsNotCancelled() {
    environment.times = new Times(9_000, 1_000, 5_001, 0);

    server.restart(new SeenUnhealthy("job-of-6", 5_000L));

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UP_TO_DATE);
    assertThat(environment.calls).containsOnly(Step.OBSERVE.title());
  }

  @Test
  void oneThatIsNotUpIsRestartedWhateverItHasCompleted() {
    environment.newest = new StateRef.Checkpoint("chk-42");
    environment.progressed = true;
    environment.times = new Times(9_000, 1_000, 5_001, 0);
    environment.jobState = FlinkJobState.RESTARTING;

    server.restart(new SeenUnhealthy("job-of-6", 5_000L));

    assertThat(server.outcome().result()).isEqualTo(OperationResult.RECOVERED);
  }

  @Test
  void oneThatHasCompletedNoneSinceIsRestarted() {
    environment.newest = new StateRef.Checkpoint("chk-42");
    environment.times = new Times(9_000, 1_000, 4_999, 0);

    server.restart(new SeenUnhealthy("job-of-6", 5_000L));

    assertThat(server.outcome().result()).isEqualTo(OperationResult.RECOVERED);
  }

  /** A run that is reset finds the job that it has started itself. */
  @Test
  void anotherJobThanTheOneThatWasUnhealthyIsNotCancelled() {
    server.restart(new SeenUnhealthy("the job before", 5_000L));

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UP_TO_DATE);
    assertThat(environment.jobId).isEqualTo("job-of-6");
  }

  @Test
  void aJobThatHealsWhileTheNextAttemptIsWaitedForIsNotCancelled() throws InterruptedException {
    counted(4, RecoveryCause.UNHEALTHY);
    environment.times = new Times(9_000, 1_000, 4_999, 0);
    environment.gate.hold(Step.REPORT);
    server.restart(new SeenUnhealthy("job-of-6", 5_000L));

    environment.gate.awaitReached();
    environment.times = new Times(90_000, 1_000, 80_000, 0);
    environment.gate.open();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UP_TO_DATE);
    assertThat(environment.calls).doesNotContain(Step.CANCEL_JOB.title());
  }

  /** A job without checkpoints has no other way to show that it is well. */
  @ParameterizedTest
  @CsvSource({"120000, UpToDate", "119999, Recovered"})
  void aJobThatDoesNotRestartAnyMoreWhileTheNextAttemptIsWaitedForIsNotCancelled(
      long upForMs, String expected) throws InterruptedException {
    counted(4, RecoveryCause.UNHEALTHY);
    environment.times = new Times(9_000, 1_000, 0, 0, 8_999);
    environment.gate.hold(Step.REPORT);
    server.restart(new SeenUnhealthy("job-of-6", 5_000L, 120_000L));

    environment.gate.awaitReached();
    environment.times = new Times(900_000, 1_000, 0, 0, 900_000 - upForMs);
    environment.gate.open();

    assertThat(server.outcome().result()).isEqualTo(expected);
  }

  @Test
  void aJobThatHealsWhileItsRestartIsRefusedIsNotCancelled() {
    environment.times = new Times(9_000, 1_000, 4_999, 0);
    environment.gate.fail(
        Step.FREEZE_TARGET, FakeEnvironment.failure(Reasons.NAME_TAKEN, "flink-config-orders"));
    server.restart(new SeenUnhealthy("job-of-6", 5_000L));
    assertThat(server.awaitHeld().reason()).isEqualTo(Reasons.NAME_TAKEN);

    environment.times = new Times(90_000, 1_000, 80_000, 0);
    environment.gate.open();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UP_TO_DATE);
    assertThat(environment.calls).doesNotContain(Step.CANCEL_JOB.title());
  }

  @Test
  void theLimitEndsWhenTheJobHasHealed() {
    counted(5, RecoveryCause.UNHEALTHY);
    environment.times = new Times(9_000, 1_000, 4_999, 0);
    server.restart(new SeenUnhealthy("job-of-6", 5_000L));
    assertThat(server.awaitHeld().reason()).isEqualTo(Reasons.RECOVERY_LIMIT);

    environment.times = new Times(90_000, 1_000, 80_000, 0);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UP_TO_DATE);
    assertThat(environment.recovery.since()).isNotNull();
  }

  @Test
  void aRetryDoesNotMakeALossOfASilentJobManager() {
    failed();
    environment.reachable = false;
    recoverFailed();
    server.awaitHeld();

    server.signal(LaneSignals.RETRY);
    environment.jobState = FlinkJobState.RUNNING;
    environment.reachable = true;

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UP_TO_DATE);
  }
}
