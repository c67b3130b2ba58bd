package dev.sluice.workflows.upgrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.workflows.operation.FailureType;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationProgress.Waiting;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.resource.RecordStateRequest;
import dev.sluice.workflows.world.FakeEnvironment;
import dev.sluice.workflows.world.OperationTestServer;
import io.temporal.client.WorkflowFailedException;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UpgradeWorkflowTest {

  private final FakeEnvironment world = FakeEnvironment.running(6, 7);
  private final OperationTestServer server = new OperationTestServer(world);

  @AfterEach
  void noInvariantWasBroken() {
    world.gate.open();
    server.close();
    assertThat(world.violations).isEmpty();
  }

  @Test
  void takesTheJobsStateRecordsItReplacesTheClusterAndEndsStable() {
    server.signalWithStart("Upgrade", 7);

    OperationResult outcome = server.outcome();

    assertThat(outcome.result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(world.calls)
        .containsExactly(
            "Observe",
            "FreezeTarget",
            "StopWithSavepoint",
            "RecordState",
            "DeleteCluster",
            "CreateCluster",
            "Report",
            "AwaitJobManager",
            "AwaitRunning",
            "MarkStable");
    assertThat(world.startedFrom).isEqualTo("savepoint-of-6");
  }

  @Test
  void marksTheTargetStableWithTheRestoredPathInTheReport() {
    server.signalWithStart("Upgrade", 7);
    server.outcome();

    assertThat(world.stable).isEqualTo(7);
    assertThat(world.reports)
        .last()
        .satisfies(
            report -> {
              assertThat(report.state()).isEqualTo("Succeeded");
              assertThat(report.savepoint()).isEqualTo("savepoint-of-6");
              assertThat(report.targetGeneration()).isEqualTo(7);
            });
  }

  @Test
  void saysInTheCurrentDetailsWhenTheStepGivesUp() throws Exception {
    Instant begin = server.now();
    world.gate.hold(Step.STOP_WITH_SAVEPOINT);
    server.signalWithStart("Upgrade", 7);
    world.gate.awaitReached();

    assertThat(server.currentDetails())
        .containsPattern(
            "Now: stop job .* with a savepoint\\*\\*, gives up at 20..-..-..T..:..:..Z");
    assertThat(Instant.parse(server.progress().deadline()))
        .isBetween(begin.plusSeconds(659), server.now().plusSeconds(660));
  }

  @Test
  void recordsWithTheStateWhenTheDeletionOfTheOldClusterGivesUp() {
    Instant begin = server.now();
    server.signalWithStart("Upgrade", 7);
    server.outcome();

    assertThat(world.records)
        .singleElement()
        .satisfies(
            record ->
                assertThat(Instant.ofEpochMilli(record.deadlineMs()))
                    .isBetween(begin.plusSeconds(299), server.now().plusSeconds(300)));
  }

  @Test
  void saysInTheStatusThatTheNewClusterIsMadeAndUntilWhenItMayTake() {
    Instant begin = server.now();
    server.signalWithStart("Upgrade", 7);
    server.outcome();

    assertThat(world.reports)
        .first()
        .satisfies(
            report -> {
              assertThat(report.state()).isEqualTo("Running");
              assertThat(report.step()).isEqualTo("AwaitRunning");
              assertThat(report.message())
                  .isEqualTo(
                      "the cluster of generation 7 is created, from savepoint-of-6; waiting until"
                          + " every task runs");
              assertThat(Instant.ofEpochMilli(report.deadlineMs()))
                  .isBetween(begin.plusSeconds(299), server.now().plusSeconds(300));
            });
  }

  @Test
  void statelessUpgradeSaysThatTheStateIsGivenUp() {
    world.mode = "stateless";
    server.signalWithStart("Upgrade", 7);
    server.outcome();

    assertThat(world.records)
        .extracting(RecordStateRequest::message)
        .containsExactly("the state of the job is given up: upgradeMode is stateless");
  }

  @Test
  void aParkedRunGivesNothingUp() {
    world.gate.fail(
        Step.AWAIT_RUNNING, FakeEnvironment.failure(FailureType.JOB_FAILED, "main threw"));
    server.signalWithStart("Upgrade", 7);
    server.awaitParked();

    assertThat(server.progress().deadline()).isNull();
    assertThat(world.reports).last().satisfies(report -> assertThat(report.deadlineMs()).isNull());
  }

  @Test
  void statelessUpgradeCancelsTheJobAndStartsEmpty() {
    world.mode = "stateless";
    server.signalWithStart("Upgrade", 7);

    server.outcome();

    assertThat(world.calls).contains("CancelJob").doesNotContain("StopWithSavepoint");
    assertThat(world.startedFrom).isNull();
  }

  @Test
  void savepointThatFailsParksAndLeavesTheOldJobRunning() {
    world.gate.fail(
        Step.STOP_WITH_SAVEPOINT,
        FakeEnvironment.failure(FailureType.SAVEPOINT_FAILED, "no space left"));
    server.signalWithStart("Upgrade", 7);

    Waiting waiting = server.awaitParked();

    assertThat(waiting).isEqualTo(new Waiting("SavepointFailed", "no space left", true));
    assertThat(world.jobState).isEqualTo("RUNNING");
    assertThat(world.cluster).isEqualTo(6);
  }

  @Test
  void retryAfterASavepointThatFailedGoesOnToTheEnd() {
    world.gate.fail(
        Step.STOP_WITH_SAVEPOINT,
        FakeEnvironment.failure(FailureType.SAVEPOINT_FAILED, "no space left"));
    server.signalWithStart("Upgrade", 7);
    server.awaitParked();

    server.signal(LaneSignals.RETRY);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(world.savepoints).isEqualTo(1);
  }

  @Test
  void abortAfterASavepointThatFailedLeavesTheOldSpecInPlace() {
    world.gate.fail(
        Step.STOP_WITH_SAVEPOINT,
        FakeEnvironment.failure(FailureType.SAVEPOINT_FAILED, "no space left"));
    server.signalWithStart("Upgrade", 7);
    server.awaitParked();

    server.signal(LaneSignals.ABORT, "wrong evening");

    assertThat(server.outcome().result()).isEqualTo(OperationResult.ABORTED);
    assertThat(world.frozen).isEqualTo(6);
    assertThat(world.upgrading).isFalse();
    assertThat(world.calls).doesNotContain("DeleteCluster");
  }

  @Test
  void newClusterThatDoesNotComeUpParksAndSaysThatNoJobRuns() {
    world.gate.fail(
        Step.AWAIT_RUNNING,
        FakeEnvironment.failure(FailureType.JOB_FAILED, "main threw: no such topic"));
    server.signalWithStart("Upgrade", 7);

    Waiting waiting = server.awaitParked();

    assertThat(waiting).isEqualTo(new Waiting("JobFailed", "main threw: no such topic", false));
    assertThat(world.reports)
        .last()
        .satisfies(report -> assertThat(report.event()).isEqualTo("JobFailed"));
  }

  @Test
  void retryOfAClusterThatDidNotComeUpMakesItAnewFromTheSameSavepoint() {
    world.gate.fail(
        Step.AWAIT_RUNNING, FakeEnvironment.failure(FailureType.JOB_FAILED, "main threw"));
    server.signalWithStart("Upgrade", 7);
    server.awaitParked();

    server.signal(LaneSignals.RETRY);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(world.calls).filteredOn("CreateCluster"::equals).hasSize(2);
    assertThat(world.startedFrom).isEqualTo("savepoint-of-6");
    assertThat(world.savepoints).isEqualTo(1);
  }

  @Test
  void correctedSpecGetsAParkedUpgradeGoingFromTheSameSavepoint() {
    world.gate.fail(
        Step.AWAIT_RUNNING, FakeEnvironment.failure(FailureType.JOB_FAILED, "main threw"));
    server.signalWithStart("Upgrade", 7);
    server.awaitParked();
    world.jobState = "FAILED";

    world.generation = 8;
    server.signalWithStart("Upgrade", 8);

    assertThat(server.outcome().generation()).isEqualTo(8);
    assertThat(world.startedFrom).isEqualTo("savepoint-of-6");
    assertThat(world.savepoints).isEqualTo(1);
  }

  @Test
  void abortOfAParkedUpgradeRestoresTheOldSpecFromTheSavepointTaken() {
    world.gate.fail(
        Step.AWAIT_RUNNING, FakeEnvironment.failure(FailureType.JOB_FAILED, "main threw"));
    server.signalWithStart("Upgrade", 7);
    server.awaitParked();

    server.signal(LaneSignals.ABORT, "back, please");

    assertThat(server.outcome())
        .extracting(OperationResult::result)
        .isEqualTo(OperationResult.ROLLED_BACK);
    assertThat(world.cluster).isEqualTo(6);
    assertThat(world.startedFrom).isEqualTo("savepoint-of-6");
    assertThat(world.stable).isEqualTo(6);
  }

  @Test
  void invalidNewestSpecChangesNothing() {
    world.valid = false;
    server.signalWithStart("Upgrade", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.SUPERSEDED);
    assertThat(world.upgrading).isFalse();
    assertThat(world.jobState).isEqualTo("RUNNING");
  }

  @Test
  void stateThatCannotBeFoundParksAndNeverStartsTheJobEmpty() {
    world.cluster = null;
    world.jobId = null;
    world.jobState = null;
    server.signalWithStart("Upgrade", 7);

    Waiting waiting = server.awaitParked();

    assertThat(waiting.reason()).isEqualTo(FailureType.STATE_NOT_FOUND);
    assertThat(world.calls).doesNotContain("CreateCluster");
  }

  @Test
  void nothingToDoWhenTheNewestGenerationRunsAlready() {
    world.generation = 6;
    server.signalWithStart("Upgrade", 6);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UP_TO_DATE);
    assertThat(world.calls).containsExactly("Observe");
  }

  @Test
  void temporalCancelBeforeTheStopLeavesTheOldJobAlone() throws Exception {
    world.gate.hold(Step.OBSERVE);
    server.signalWithStart("Upgrade", 7);
    world.gate.awaitReached();

    server.lane().cancel();
    world.gate.open();

    assertThatThrownBy(server::outcome).isInstanceOf(WorkflowFailedException.class);
    assertThat(world.jobState).isEqualTo("RUNNING");
    assertThat(world.frozen).isEqualTo(6);
    assertThat(world.upgrading).isFalse();
  }

  @Test
  void temporalCancelAfterTheStopRestoresTheOldSpecBeforeTheRunCloses() throws Exception {
    world.gate.hold(Step.CREATE_CLUSTER);
    server.signalWithStart("Upgrade", 7);
    world.gate.awaitReached();

    server.lane().cancel();
    world.gate.open();

    assertThatThrownBy(server::outcome).isInstanceOf(WorkflowFailedException.class);
    assertThat(world.cluster).isEqualTo(6);
    assertThat(world.jobState).isEqualTo("RUNNING");
    assertThat(world.startedFrom).isEqualTo("savepoint-of-6");
  }

  @Test
  void resourceThatVanishesHandsTheLaneToDelete() throws Exception {
    world.gate.hold(Step.RECORD_STATE);
    server.signalWithStart("Upgrade", 7);
    world.gate.awaitReached();

    world.exists = false;
    world.gate.open();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.DELETED);
    assertThat(world.cluster).isNull();
  }
}
