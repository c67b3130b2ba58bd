package dev.sluice.workflows.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.api.common.RecoveryStatus;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.fake.FakeEnvironment;
import dev.sluice.workflows.fake.OperationTestServer;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.Observation.StateOptions;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationProgress.Held;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A lost job is brought back with the spec that is deployed, from its newest state. */
@Execution(ExecutionMode.CONCURRENT)
class RecoverTest {

  private final FakeEnvironment environment = FakeEnvironment.running(6, 6);
  private final OperationTestServer server = new OperationTestServer(environment);

  @AfterEach
  void noInvariantWasBroken() {
    environment.gate.open();
    server.close();
    assertThat(environment.violations).isEmpty();
  }

  private void jobManagerIsMissing() {
    environment.cluster = null;
    environment.jobId = null;
    environment.jobState = null;
    environment.highAvailability = HighAvailability.CHECKPOINT;
    environment.options = new StateOptions(true, true, true, null, false, null);
  }

  private void attempted(int times, Instant upSince) {
    environment.recovery =
        new RecoveryStatus(
            times, upSince == null ? null : upSince.toString(), RecoveryCause.JOB_MANAGER_MISSING);
  }

  private void recover() {
    server.recover(RecoveryCause.JOB_MANAGER_MISSING, "the JobManager Deployment is missing");
  }

  @Test
  void aJobWhoseJobManagerIsMissingGoesOnFromItsMetadataUnderItsId() {
    jobManagerIsMissing();

    recover();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.RECOVERED);
    assertThat(environment.startedFrom).isEqualTo(new StateRef.HaMetadata("job-of-6"));
    assertThat(environment.jobId).isEqualTo("job-of-6");
    assertThat(environment.cluster).isEqualTo(6);
    assertThat(environment.recovery)
        .isEqualTo(new RecoveryStatus(1, null, RecoveryCause.JOB_MANAGER_MISSING));
    assertThat(environment.reports.get(0).event()).isEqualTo(EventReasons.RECOVER_DEPLOYMENT);
    assertThat(environment.reports.get(0).message())
        .isEqualTo(
            "Recovering generation 6 (attempt 1 of 5): the JobManager Deployment is missing");
  }

  /** FLINK-35857: not the state that was recorded when the job was started. */
  @Test
  void aFailedJobStartsFromItsNewestCheckpoint() {
    environment.jobState = FlinkJobState.FAILED;
    environment.newest = new StateRef.Checkpoint("chk-42");

    server.recover(RecoveryCause.JOB_FAILED, "job job-of-6 is FAILED: no such topic");

    assertThat(server.outcome().result()).isEqualTo(OperationResult.RECOVERED);
    assertThat(environment.startedFrom).isEqualTo(new StateRef.Checkpoint("chk-42"));
    assertThat(environment.jobId).isNotEqualTo("job-of-6");
  }

  /** last-state-fallback.enabled is about upgrades: here nothing else can be had. */
  @Test
  void aSpecThatInsistsOnSavepointsIsRecoveredFromItsMetadataAllTheSame() {
    jobManagerIsMissing();
    environment.options = new StateOptions(true, false, true, 1L, false, null);

    recover();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.RECOVERED);
  }

  /** FLINK-31277: a stateless job needs no metadata to be recovered. */
  @Test
  void aStatelessJobStartsEmpty() {
    jobManagerIsMissing();
    environment.mode = UpgradeMode.STATELESS;
    environment.frozenMode = UpgradeMode.STATELESS;
    environment.highAvailability = HighAvailability.OFF;

    recover();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.RECOVERED);
    assertThat(environment.startedFrom).isInstanceOf(StateRef.Empty.class);
  }

  /** As Apache's operator does it: the loss of a Deployment is no reason to lose the state. */
  @Test
  void aStatelessJobWithHighAvailabilityGoesOnFromItsMetadata() {
    jobManagerIsMissing();
    environment.mode = UpgradeMode.STATELESS;
    environment.frozenMode = UpgradeMode.STATELESS;

    recover();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.RECOVERED);
    assertThat(environment.startedFrom).isEqualTo(new StateRef.HaMetadata("job-of-6"));
  }

  /** FLINK-30266: a job that has completed no checkpoint was never recovered. */
  @Test
  void aJobThatIsLostBeforeItsFirstCheckpointStartsFromWhatItWasStartedFrom() {
    jobManagerIsMissing();
    environment.highAvailability = HighAvailability.NO_CHECKPOINT;
    StateRef savepoint = new StateRef.Savepoint("savepoint-of-5");
    environment.recorded = new RestorePoint(savepoint, "job-of-5", "job-of-6");

    recover();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.RECOVERED);
    assertThat(environment.startedFrom).isEqualTo(savepoint);
  }

  /** It may be long past: an abort must not go back to it either. */
  @Test
  void whatALostJobWasStartedFromIsForgottenWhereThatIsNotProvedToBeItsNewestState() {
    jobManagerIsMissing();
    environment.highAvailability = HighAvailability.OFF;
    environment.recorded =
        new RestorePoint(new StateRef.Savepoint("savepoint-of-5"), "job-of-5", "job-of-6");

    recover();

    assertThat(server.awaitHeld().reason()).isEqualTo(Reasons.STATE_NOT_FOUND);
    assertThat(environment.recorded).isNull();
  }

  @Test
  void aJobManagerThatIsBackIsLeftAlone() {
    recover();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UP_TO_DATE);
    assertThat(environment.calls).containsOnly(Step.OBSERVE.title());
  }

  @Test
  void anInvalidNewestSpecDoesNotKeepTheDeployedOneFromBeingRecovered() {
    jobManagerIsMissing();
    environment.generation = 7;
    environment.problem = "spec.job.parallelism: must be at least 1, is 0";

    recover();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.RECOVERED);
    assertThat(environment.cluster).isEqualTo(6);
  }

  /** The controller starts a recovery beside a newer spec only if that was given up. */
  @Test
  void aSpecThatWasGivenUpIsNotUpgradedTo() {
    jobManagerIsMissing();
    environment.generation = 7;

    server.recover(RecoveryCause.JOB_MANAGER_MISSING, "missing", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.RECOVERED);
    assertThat(environment.cluster).isEqualTo(6);
  }

  @Test
  void aSpecThatCameSinceGoesFirst() {
    jobManagerIsMissing();
    environment.generation = 8;

    server.recover(RecoveryCause.JOB_MANAGER_MISSING, "missing", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.cluster).isEqualTo(8);
  }

  @Test
  void theSecondAttemptIsMadeAfterAPauseThatTheStatusTells() {
    jobManagerIsMissing();
    attempted(2, server.now());
    Instant begun = server.now();

    recover();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.RECOVERED);
    assertThat(Duration.between(begun, server.now()))
        .isGreaterThanOrEqualTo(Duration.ofSeconds(20));
    assertThat(environment.reports.get(0).message())
        .matches("Waits until \\S+Z before attempt 3 of 5: the JobManager Deployment is missing");
    assertThat(environment.reports.get(0).event()).isNull();
    assertThat(environment.recovery.attempts()).isEqualTo(3);
  }

  @Test
  void aJobThatWasStableForHalfAnHourIsBroughtBackAtOnce() {
    jobManagerIsMissing();
    attempted(5, server.now().minus(Duration.ofMinutes(31)));

    recover();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.RECOVERED);
    assertThat(environment.recovery.attempts()).isEqualTo(1);
  }

  @Test
  void afterFiveAttemptsItIsParkedAndStaysSoHoweverLongThatIs() {
    jobManagerIsMissing();
    attempted(5, server.now());

    recover();

    Held held = server.awaitHeld();
    assertThat(held.reason()).isEqualTo(Reasons.RECOVERY_LIMIT);
    assertThat(held.blocked()).isFalse();
    assertThat(held.offersAbort()).isTrue();
    // so that neither time nor another run forgets it
    assertThat(environment.recovery.since()).isNull();
    assertThat(environment.phase).isEqualTo(Phase.IDLE);
    assertThat(environment.calls).doesNotContain(Step.CREATE_CLUSTER.title());
  }

  @Test
  void aRunThatIsStartedAnewAtTheLimitIsParkedAgain() {
    jobManagerIsMissing();
    attempted(5, null);

    recover();

    assertThat(server.awaitHeld().reason()).isEqualTo(Reasons.RECOVERY_LIMIT);
  }

  @Test
  void aRetryAtTheLimitBeginsTheCountAnew() {
    jobManagerIsMissing();
    attempted(5, null);
    recover();
    server.awaitHeld();

    server.signal(LaneSignals.RETRY);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.RECOVERED);
    assertThat(environment.recovery.attempts()).isEqualTo(1);
  }

  @Test
  void anAbortAtTheLimitLeavesTheJobAsItIs() {
    jobManagerIsMissing();
    attempted(5, null);
    recover();
    server.awaitHeld();

    server.signal(LaneSignals.ABORT, "enough");

    assertThat(server.outcome().result()).isEqualTo(OperationResult.ABORTED);
    assertThat(environment.lastReported()).isEqualTo(OperationState.ABORTED);
    assertThat(environment.phase).isEqualTo(Phase.IDLE);
    assertThat(environment.cluster).isNull();
  }

  @Test
  void aCorrectedSpecAtTheLimitIsUpgradedTo() {
    jobManagerIsMissing();
    attempted(5, null);
    recover();
    server.awaitHeld();

    environment.generation = 7;
    server.signal(LaneSignals.RETARGET, 7L);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.cluster).isEqualTo(7);
  }

  @Test
  void aDeletionAtTheLimitIsCarriedOut() {
    jobManagerIsMissing();
    attempted(5, null);
    recover();
    server.awaitHeld();

    server.delete();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.DELETED);
  }

  /** W2 and its like: a job that cannot be started is not started again and again. */
  @Test
  void aJobThatFailsAtItsStartIsParkedWithinTheSameAttempt() {
    jobManagerIsMissing();
    environment.gate.fail(
        Step.AWAIT_RUNNING, FakeEnvironment.failure(Reasons.JOB_FAILED, "no such topic"));

    recover();

    assertThat(server.awaitHeld().reason()).isEqualTo(Reasons.JOB_FAILED);
    assertThat(environment.recovery.attempts()).isEqualTo(1);
    environment.gate.open();
    server.signal(LaneSignals.RETRY);
    assertThat(server.outcome().result()).isEqualTo(OperationResult.RECOVERED);
  }

  /** FLINK-27594: a Deployment alone is not created again. */
  @Test
  void withoutAnyStateItIsParkedAndNotStartedEmpty() {
    jobManagerIsMissing();
    environment.highAvailability = HighAvailability.OFF;

    recover();

    Held held = server.awaitHeld();
    assertThat(held.reason()).isEqualTo(Reasons.STATE_NOT_FOUND);
    assertThat(held.offersRestoreFrom()).isTrue();
  }
}
