package dev.sluice.workflows.delete;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.job.StopRequest;
import dev.sluice.workflows.operation.FailureType;
import dev.sluice.workflows.operation.Ids;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.resource.OperationReport;
import dev.sluice.workflows.world.FakeEnvironment;
import dev.sluice.workflows.world.OperationTestServer;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Deletion where {@code kubernetes.operator.job.savepoint-on-deletion} is set. */
class SavepointOnDeletionTest {

  private final FakeEnvironment world = FakeEnvironment.running(6, 6);
  private final OperationTestServer server = new OperationTestServer(world);

  @BeforeEach
  void asked() {
    world.deletionSavepointMs = 600_000;
  }

  @AfterEach
  void close() {
    world.gate.open();
    server.close();
  }

  @Test
  void stopsTheJobWithASavepointBeforeAnythingIsDestroyed() {
    server.delete();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.DELETED);
    assertThat(world.calls)
        .containsExactly(
            "Observe", "Report", "StopWithSavepoint", "Report", "DeleteCluster", "Report");
  }

  @Test
  void tellsThePathInStatusEventDetailsAndResult() {
    server.delete();

    assertThat(server.outcome().savepoint()).isEqualTo("savepoint-of-6");
    OperationReport told = world.reports.get(1);
    assertThat(told.state()).isEqualTo("Running");
    assertThat(told.step()).isEqualTo("DeleteCluster");
    assertThat(told.savepoint()).isEqualTo("savepoint-of-6");
    assertThat(told.event()).isEqualTo("Suspended");
    assertThat(told.message()).endsWith(": savepoint-of-6");
    assertThat(server.currentDetails()).contains("State: `savepoint-of-6`");
  }

  @Test
  void saysWhileItWaitsWhenItGivesUp() {
    Instant begin = server.now();
    server.delete();
    server.outcome();

    OperationReport waiting = world.reports.get(0);
    assertThat(waiting.step()).isEqualTo("StopWithSavepoint");
    assertThat(Instant.ofEpochMilli(waiting.deadlineMs()))
        .isBetween(begin.plusSeconds(659), server.now().plusSeconds(660));
  }

  @Test
  void savepointThatFailsLeavesTheNewestCheckpointAndTheDeletionEnds() {
    world.gate.fail(
        Step.STOP_WITH_SAVEPOINT,
        FakeEnvironment.failure(FailureType.SAVEPOINT_FAILED, "disk is full"));
    world.jobStateTaken = "chk-7";
    server.delete();

    assertThat(server.outcome().savepoint()).isEqualTo("chk-7");
    assertThat(world.calls).containsSubsequence("StopWithSavepoint", "CancelJob", "DeleteCluster");
    assertThat(world.reports.get(1))
        .satisfies(
            told -> {
              assertThat(told.event()).isEqualTo("SavepointError");
              assertThat(told.message()).contains("disk is full").endsWith(": chk-7");
            });
  }

  @Test
  void jobThatCannotEvenBeCancelledLeavesWhatWasSeenOfIt() {
    world.gate.fail(
        Step.STOP_WITH_SAVEPOINT, FakeEnvironment.failure(FailureType.TIMED_OUT, "it never ended"));
    world.gate.fail(Step.CANCEL_JOB, FakeEnvironment.failure(FailureType.TIMED_OUT, "no answer"));
    world.jobStateTaken = "chk-7";
    server.delete();

    assertThat(server.outcome().savepoint()).isEqualTo("chk-7");
    assertThat(world.cluster).isNull();
    assertThat(world.reports.get(1).message()).contains("it never ended", "no answer");
  }

  @Test
  void jobWithoutAnyStateIsDeletedAllTheSameAndTheEventSaysSo() {
    world.gate.fail(
        Step.STOP_WITH_SAVEPOINT,
        FakeEnvironment.failure(FailureType.SAVEPOINT_FAILED, "disk is full"));
    server.delete();

    OperationResult outcome = server.outcome();

    assertThat(outcome.result()).isEqualTo(OperationResult.DELETED);
    assertThat(outcome.savepoint()).isNull();
    assertThat(world.reports.get(1).message())
        .contains("disk is full", "no state of the job is known");
  }

  @Test
  void jobThatRestartsGetsPatienceAndIsThenCancelledWithItsCheckpoint() {
    world.jobState = "RESTARTING";
    world.jobStateTaken = "chk-7";
    server.delete();

    assertThat(server.outcome().savepoint()).isEqualTo("chk-7");
    assertThat(world.calls)
        .containsExactly("Observe", "Observe", "CancelJob", "Report", "DeleteCluster", "Report");
    assertThat(world.reports.get(0).message()).contains("no savepoint is possible", "RESTARTING");
  }

  @Test
  void jobManagerThatDoesNotAnswerHoldsNothingUp() {
    world.reachable = false;
    server.delete();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.DELETED);
    assertThat(world.calls)
        .containsExactly("Observe", "Observe", "Report", "DeleteCluster", "Report");
    assertThat(world.reports.get(0))
        .satisfies(
            told -> {
              assertThat(told.event()).isEqualTo("SavepointError");
              assertThat(told.message()).contains("the JobManager does not answer");
            });
  }

  @Test
  void jobThatWasStoppedAlreadyIsNotAskedAgain() {
    world.jobState = "FINISHED";
    world.jobStateTaken = "savepoint-of-6";
    server.delete();

    assertThat(server.outcome().savepoint()).isEqualTo("savepoint-of-6");
    assertThat(world.calls).doesNotContain("StopWithSavepoint", "CancelJob");
    assertThat(world.reports.get(0).event()).isEqualTo("Suspended");
  }

  @Test
  void jobThatHasFailedLeavesItsCheckpoint() {
    world.jobState = "FAILED";
    world.jobStateTaken = "chk-7";
    server.delete();

    assertThat(server.outcome().savepoint()).isEqualTo("chk-7");
    assertThat(world.reports.get(0).message()).contains("the job is FAILED");
  }

  @Test
  void upgradeThatIsDeletedOnItsWayTellsTheStateItRecorded() throws Exception {
    world.generation = 7;
    world.gate.hold(Step.CREATE_CLUSTER);
    server.signalWithStart("Upgrade", 7);
    world.gate.awaitReached();
    world.reachable = false;

    server.delete();
    world.gate.open();

    assertThat(server.outcome().savepoint()).isEqualTo("savepoint-of-6");
    assertThat(world.savepoints).isEqualTo(1);
  }

  @Test
  void savepointOfAnUpgradeThatIsInFlightIsTakenOver() throws Exception {
    world.generation = 7;
    world.gate.hold(Step.STOP_WITH_SAVEPOINT);
    String upgrade = server.signalWithStart("Upgrade", 7).getExecution().getRunId();
    world.gate.awaitReached();

    server.delete();
    server.outcome();

    assertThat(world.stops)
        .extracting(StopRequest::triggerId)
        .containsExactly(Ids.derive(upgrade, "stop", 1));
  }

  @Test
  void resourceThatIsLetGoByForceEndsTheRun() throws Exception {
    world.gate.hold(Step.STOP_WITH_SAVEPOINT);
    server.delete();
    world.gate.awaitReached();

    world.exists = false;
    world.gate.open();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.DELETED);
    assertThat(world.cluster).isNull();
  }
}
