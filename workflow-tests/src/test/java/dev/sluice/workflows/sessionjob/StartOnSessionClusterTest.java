package dev.sluice.workflows.sessionjob;

import static dev.sluice.workflows.fake.FakeEnvironment.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationState;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.SessionJobActivities.StartJobRequest;
import dev.sluice.workflows.fake.FakeSessionJob;
import dev.sluice.workflows.fake.OperationTestServer;
import dev.sluice.workflows.model.ClusterObservation.JobManager;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationProgress;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A job is started on a session cluster, which may not be ready for it, and may not answer. */
@Execution(ExecutionMode.CONCURRENT)
class StartOnSessionClusterTest {

  private static final String MISSING = "FlinkDeployment session does not exist";

  private final FakeSessionJob environment = FakeSessionJob.runningJob(6, 7);
  private final OperationTestServer server = new OperationTestServer(environment);

  @AfterEach
  void noInvariantWasBroken() {
    environment.gate.open();
    server.close();
    assertThat(environment.violations).isEmpty();
  }

  private void given_the_cluster_is_missing(int waits) {
    given_start_fails(FailureType.CLUSTER_NOT_READY, MISSING, waits);
  }

  private void given_start_fails(String type, String message, int times) {
    for (int i = 0; i < times; i++) {
      environment.gate.fail(Step.START_JOB, failure(type, message));
    }
  }

  @Test
  void anUpgradeEndsTheJobAndStartsItFromItsSavepoint() {
    server.signalWithStart("Upgrade", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.calls)
        .containsExactly(
            "Observe",
            "FreezeTarget",
            "CheckJar",
            "RecordStop",
            "StopWithSavepoint",
            "RecordState",
            "EndJob",
            "Report",
            "StartJob",
            "Report",
            "AwaitRunning",
            "MarkStable");
    assertThat(environment.startedFrom).isEqualTo(new StateRef.Savepoint("savepoint-of-6"));
  }

  @Test
  void theStatusNamesTheSessionCluster() {
    server.signalWithStart("Upgrade", 7);
    server.outcome();

    assertThat(environment.reports.get(0).step()).isEqualTo("StopWithSavepoint");
    assertThat(environment.reports.get(1).step()).isEqualTo("StartJob");
    assertThat(environment.reports.get(1).message())
        .isEqualTo("Start the job on session cluster session from savepoint savepoint-of-6");
    assertThat(environment.reports.get(2).step()).isEqualTo("AwaitRunning");
  }

  @Test
  void aMissingClusterParksTheRunWhichGoesOnByItselfUnderTheSameId() {
    given_the_cluster_is_missing(3);

    server.signalWithStart("Upgrade", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.starts)
        .extracting(it -> it.job().jobId())
        .hasSize(4)
        .containsOnly(environment.jobId);
    assertThat(environment.reports)
        .filteredOn(it -> it.state() == OperationState.PARKED)
        .singleElement()
        .satisfies(it -> assertThat(it.message()).isEqualTo(MISSING));
  }

  @Test
  void theStatusSaysThatAParkedRunGoesOn() {
    given_the_cluster_is_missing(1);

    server.signalWithStart("Upgrade", 7);
    server.outcome();

    int parked =
        environment.reports.stream().map(it -> it.state()).toList().indexOf(OperationState.PARKED);
    assertThat(environment.reports.get(parked + 1).state()).isEqualTo(OperationState.RUNNING);
  }

  @Test
  void retryAsksTheClusterAtOnce() {
    given_the_cluster_is_missing(1);
    server.signalWithStart("Upgrade", 7);
    server.awaitHeld();

    server.signal(LaneSignals.RETRY);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.runs).hasSize(1);
  }

  @Test
  void aLostAnswerStartsNoSecondJob() {
    environment.lostAnswers = 1;

    server.signalWithStart("Upgrade", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.starts).hasSize(2);
    assertThat(environment.runs).containsExactly(environment.jobId);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anAbortLeavesTheWaitForTheClusterAtOnce(boolean parked) throws Exception {
    whileItWaits(parked);

    server.signal(LaneSignals.ABORT, "enough");
    environment.gate.forget(Step.START_JOB);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.ROLLED_BACK);
    assertThat(environment.cluster).isEqualTo(6);
    assertThat(environment.runs).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aNewerSpecLeavesTheWaitForTheClusterAtOnce(boolean parked) throws Exception {
    whileItWaits(parked);

    environment.generation = 8;
    server.signalWithStart("Upgrade", 8);
    environment.gate.forget(Step.START_JOB);

    assertThat(server.outcome().generation()).isEqualTo(8);
    assertThat(environment.runs).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aDeletionLeavesTheWaitForTheClusterAtOnce(boolean parked) throws Exception {
    whileItWaits(parked);

    server.delete();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.DELETED);
    assertThat(environment.runs).isEmpty();
  }

  private void whileItWaits(boolean parked) throws InterruptedException {
    if (parked) {
      given_the_cluster_is_missing(100);
    } else {
      environment.gate.hold(Step.START_JOB);
    }
    server.signalWithStart("Upgrade", 7);
    if (parked) {
      OperationProgress.Held unused = server.awaitHeld();
    } else {
      environment.gate.awaitReached();
    }
  }

  @Test
  void aMissingClusterIsNoReasonToRollBack() {
    environment.rollsBack = true;
    given_the_cluster_is_missing(5);

    server.signalWithStart("Upgrade", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
  }

  /** The time in which the cluster was missing is not that of the jar. */
  @Test
  void aJarThatIsFetchedAtTheSecondTryAfterALongWaitIsNoReasonToRollBack() {
    environment.rollsBack = true;
    environment.gate.hold(Step.START_JOB);
    given_the_cluster_is_missing(200);
    given_start_fails(FailureType.REFUSED, "the jar cannot be fetched: 503", 1);
    environment.gate.open();

    server.signalWithStart("Upgrade", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
  }

  @Test
  void aJarThatCannotBeFetchedBlocksTheRunUntilItCan() {
    given_start_fails(FailureType.REFUSED, "the jar cannot be fetched: 404", 2);

    server.signalWithStart("Upgrade", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.reports).anyMatch(it -> it.state() == OperationState.BLOCKED);
  }

  @Test
  void aProgramThatFlinkRefusesParksTheRun() {
    environment.refused = true;

    server.signalWithStart("Upgrade", 7);

    assertThat(server.awaitHeld().reason()).isEqualTo(FailureType.JOB_FAILED);
    assertThat(server.awaitHeld().blocked()).isFalse();
  }

  @Test
  void retryAfterARefusalStartsWithAnotherId() {
    environment.refused = true;
    server.signalWithStart("Upgrade", 7);
    server.awaitHeld();

    environment.refused = false;
    server.signal(LaneSignals.RETRY);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.runs).doesNotHaveDuplicates().hasSize(2);
    assertThat(environment.startedFrom).isEqualTo(new StateRef.Savepoint("savepoint-of-6"));
  }

  @Test
  void aProgramThatFlinkRefusesIsRolledBackWhereTheSpecAsksForThat() throws Exception {
    environment.rollsBack = true;
    environment.refused = true;
    environment.gate.holdAfter(1, Step.START_JOB);
    server.signalWithStart("Upgrade", 7);

    environment.gate.awaitReached();
    environment.refused = false;
    environment.gate.open();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.ROLLED_BACK);
    assertThat(environment.cluster).isEqualTo(6);
  }

  @Test
  void aRunThatTakesOverALostAnswerLooksItUp() throws Exception {
    environment.gate.hold(Step.AWAIT_RUNNING);
    server.signalWithStart("Upgrade", 7);
    environment.gate.awaitReached();
    environment.gate.finishAfter(() -> server.lane().terminate("lost"));
    // Flink has not taken it after all
    environment.jobState = null;

    server.signalWithStart("Upgrade", 7);

    server.outcome();
    assertThat(environment.starts)
        .extracting(StartJobRequest::job)
        .hasSize(2)
        .containsOnly(environment.starts.get(0).job());
    assertThat(environment.jobState).isEqualTo(FlinkJobState.RUNNING);
  }

  /** Without high availability a JobManager that is restarted does not know it any more. */
  @Test
  void aJobThatWasUpIsNotBegunAgainFromWhereItStarted() {
    environment.phase = Phase.UPGRADING;
    environment.frozen = 7L;
    environment.cluster = 7L;
    environment.jobId = "job-of-7";
    environment.jobState = null;
    environment.recorded =
        new RestorePoint(new StateRef.Savepoint("savepoint-of-6"), "job-of-6", "job-of-7")
            .up("job-of-7");
    environment.gate.fail(
        Step.AWAIT_RUNNING, failure(FailureType.CLUSTER_NOT_READY, "Flink does not know the job"));

    server.signalWithStart("Upgrade", 7);

    assertThat(server.awaitHeld().reason()).isEqualTo(FailureType.CLUSTER_NOT_READY);
    assertThat(environment.starts).isEmpty();
  }

  /** What was about to be started in its place was recorded, and that run was lost. */
  private void given_a_job_that_flink_never_had_is_replaced(JobManager process) {
    environment.phase = Phase.UPGRADING;
    environment.frozen = 7L;
    environment.cluster = 7L;
    environment.jobId = "job-of-7";
    environment.jobState = null;
    environment.jobManager = process;
    environment.recorded =
        new RestorePoint(new StateRef.Savepoint("savepoint-of-6"), "job-of-6", "job-of-7")
            .again("job-of-7", "job-after-7");
  }

  @Test
  void aRunThatTakesOverReplacesAJobThatFlinkNeverHad() {
    given_a_job_that_flink_never_had_is_replaced(JobManager.NEVER_READY);

    server.signalWithStart("Upgrade", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.runs).hasSize(1).doesNotContain("job-of-7", "job-after-7");
    assertThat(environment.startedFrom).isEqualTo(new StateRef.Savepoint("savepoint-of-6"));
  }

  @Test
  void aReplacedJobThatFlinkMayHaveHadIsNotStartedAgain() {
    given_a_job_that_flink_never_had_is_replaced(JobManager.MAY_HAVE_RUN);
    environment.gate.fail(
        Step.AWAIT_RUNNING, failure(FailureType.CLUSTER_NOT_READY, "Flink does not know the job"));

    server.signalWithStart("Upgrade", 7);

    assertThat(server.awaitHeld().reason()).isEqualTo(FailureType.CLUSTER_NOT_READY);
    assertThat(environment.starts).isEmpty();
  }

  @Test
  void theWaitForTheTasksBeginsWithTheStartOfTheJob() {
    given_the_cluster_is_missing(3);

    server.signalWithStart("Upgrade", 7);
    server.outcome();

    long started = environment.starts.get(0).deadlineMs();
    long lastStart = environment.starts.get(3).deadlineMs();
    assertThat(Duration.ofMillis(lastStart - started)).isGreaterThan(Duration.ofSeconds(60));
  }
}
