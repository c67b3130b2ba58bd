package dev.sluice.workflows.sessionjob;

import static dev.sluice.workflows.fake.FakeEnvironment.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.PendingStop;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.fake.FakeSessionJob;
import dev.sluice.workflows.fake.OperationTestServer;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each operation of a job on a session cluster: that of a deployment, without a cluster. */
@Execution(ExecutionMode.CONCURRENT)
class SessionJobOperationsTest {

  private FakeSessionJob environment = FakeSessionJob.runningJob(6, 7);
  private OperationTestServer server = new OperationTestServer(environment);

  private void given(FakeSessionJob other) {
    server.close();
    environment = other;
    server = new OperationTestServer(other);
  }

  @AfterEach
  void noInvariantWasBroken() {
    environment.gate.open();
    server.close();
    assertThat(environment.violations).isEmpty();
  }

  @Test
  void deployStartsTheJobWithoutEndingOne() {
    given(FakeSessionJob.unstarted());

    server.signalWithStart("Deploy", 1);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.DEPLOYED);
    assertThat(environment.calls).contains("StartJob").doesNotContain("EndJob");
    assertThat(environment.jobState).isEqualTo(FlinkJobState.RUNNING);
  }

  @Test
  void abortOfAFirstDeploymentEndsItsJob() throws Exception {
    given(FakeSessionJob.unstarted());
    environment.gate.hold(Step.AWAIT_RUNNING);
    server.signalWithStart("Deploy", 1);
    environment.gate.awaitReached();

    server.signal(LaneSignals.ABORT, "enough");

    assertThat(server.outcome().result()).isEqualTo(OperationResult.ABORTED);
    assertThat(environment.cluster).isNull();
    assertThat(environment.reports)
        .anyMatch(it -> it.message().startsWith("Aborted the first deployment; its job is ended"));
  }

  @ParameterizedTest
  @CsvSource({
    "OBSERVE,             Aborted,    0",
    "FREEZE_TARGET,       Aborted,    0",
    "CHECK_JAR,           Aborted,    0",
    "STOP_WITH_SAVEPOINT, RolledBack, 1",
    "RECORD_STATE,        RolledBack, 1",
    "END_JOB,             RolledBack, 1",
    "START_JOB,           RolledBack, 1",
    "AWAIT_RUNNING,       RolledBack, 2",
    "MARK_STABLE,         Upgraded,   1",
  })
  void abort(Step step, String result, int runs) throws Exception {
    environment.gate.hold(step);
    server.signalWithStart("Upgrade", 7);
    environment.gate.awaitReached();

    server.signal(LaneSignals.ABORT, "enough");
    if (!Set.of(Step.CHECK_JAR, Step.START_JOB, Step.AWAIT_RUNNING).contains(step)) {
      environment.gate.open();
    }

    assertThat(server.outcome().result()).isEqualTo(result);
    assertThat(environment.jobState).isEqualTo(FlinkJobState.RUNNING);
    assertThat(environment.runs).hasSize(runs);
  }

  /** How far the run before has come is not known: Flink says whether the job is being stopped. */
  @Test
  void abortWhileTheJarIsCheckedIsAnsweredByARunThatTakesOver() throws Exception {
    begun();
    environment.gate.hold(Step.CHECK_JAR);
    server.signalWithStart("Upgrade", 7);
    environment.gate.awaitReached();

    server.signal(LaneSignals.ABORT, "enough");

    assertThat(server.outcome().result()).isEqualTo(OperationResult.ABORTED);
    assertThat(environment.jobState).isEqualTo(FlinkJobState.RUNNING);
    assertThat(environment.calls).doesNotContain("StopWithSavepoint");
  }

  @Test
  void abortOfAnUpgradeWhoseJarIsMissingIsAnsweredByARunThatTakesOver() {
    begun();
    for (int i = 0; i < 100; i++) {
      environment.gate.fail(Step.CHECK_JAR, failure(FailureType.REFUSED, "404"));
    }
    server.signalWithStart("Upgrade", 7);
    server.awaitHeld();

    server.signal(LaneSignals.ABORT, "enough");

    assertThat(server.outcome().result()).isEqualTo(OperationResult.ABORTED);
    assertThat(environment.runs).isEmpty();
  }

  @Test
  void abortGoesBackWhereTheRunBeforeHasBegunToStopTheJob() throws Exception {
    begun();
    environment.pendingStop = new PendingStop(environment.jobId, "of the run before", null);
    environment.gate.hold(Step.STOP_WITH_SAVEPOINT);
    server.signalWithStart("Upgrade", 7);
    environment.gate.awaitReached();

    server.signal(LaneSignals.ABORT, "enough");
    environment.gate.open();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.ROLLED_BACK);
    assertThat(environment.jobState).isEqualTo(FlinkJobState.RUNNING);
    assertThat(environment.startedFrom).isEqualTo(new StateRef.Savepoint("savepoint-of-6"));
    assertThat(environment.triggers).containsExactly("of the run before");
    assertThat(environment.calls).doesNotContain("CheckJar");
  }

  /** By a run that was lost. */
  private void begun() {
    environment.frozen = 7L;
    environment.phase = Phase.UPGRADING;
  }

  @Test
  void suspendEndsTheJobAndKeepsItsState() {
    environment.suspended.add(7L);

    server.signalWithStart("Suspend", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.SUSPENDED);
    assertThat(environment.ends).extracting(it -> it.job().jobId()).containsExactly("job-of-6");
    assertThat(environment.recorded.state()).isEqualTo(new StateRef.Savepoint("savepoint-of-6"));
  }

  @Test
  void resumeStartsFromWhatTheJobLeft() {
    environment.suspended.add(7L);
    server.signalWithStart("Suspend", 7);
    server.outcome();
    environment.generation = 8;

    server.signalWithStart("Resume", 8);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.RESUMED);
    assertThat(environment.startedFrom).isEqualTo(new StateRef.Savepoint("savepoint-of-6"));
  }

  @Test
  void aJarThatCannotBeFetchedStopsNoJobAndIsTriedAgain() {
    environment.gate.fail(Step.CHECK_JAR, failure(FailureType.REFUSED, "404"));
    server.signalWithStart("Upgrade", 7);

    server.awaitHeld();

    assertThat(environment.calls).contains("CheckJar").doesNotContain("StopWithSavepoint");
    assertThat(environment.jobState).isEqualTo(FlinkJobState.RUNNING);
    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.calls).contains("StopWithSavepoint");
  }

  @Test
  void theStatusSaysWhichStepIsAtWorkBeforeAndWhileTheJobIsStopped() throws Exception {
    environment.gate.fail(Step.CHECK_JAR, failure(FailureType.REFUSED, "404"));
    environment.gate.hold(Step.STOP_WITH_SAVEPOINT);

    server.signalWithStart("Upgrade", 7);
    environment.gate.awaitReached();

    assertThat(environment.frozenFor).containsExactly("CheckJar");
    assertThat(environment.reports)
        .extracting(it -> it.state() + " " + it.step())
        .containsExactly("Blocked CheckJar", "Running StopWithSavepoint");
    assertThat(environment.reports.get(1).deadlineMs()).isNotNull();
  }

  @Test
  void aSuspensionNeedsNoJar() {
    environment.gate.fail(Step.CHECK_JAR, failure(FailureType.REFUSED, "404"));
    environment.suspended.add(7L);

    server.signalWithStart("Suspend", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.SUSPENDED);
    assertThat(environment.calls).doesNotContain("CheckJar");
  }

  /** Its cluster is not touched: others run there. */
  @Test
  void aJobThatHasFailedWithNewerStateIsHeldWithoutStoppingItsJobManager() {
    environment.gate.fail(Step.AWAIT_RUNNING, failure(FailureType.JOB_FAILED, "main threw"));
    server.signalWithStart("Upgrade", 7);
    environment.jobState = FlinkJobState.FAILED;
    environment.progressed = true;

    server.awaitHeld();

    assertThat(environment.calls).doesNotContain("StopJobManager", "NoteEnd");
  }

  @Test
  void recoverParksAJobThatFlinkDoesNotKnowAnyMoreUntilItsStateIsChosen() {
    environment.generation = 6;
    environment.cluster = null;
    environment.jobId = null;
    environment.jobState = null;

    server.recover(RecoveryCause.JOB_MANAGER_MISSING, "the cluster does not know the job");
    assertThat(server.awaitHeld().reason()).isEqualTo(Reasons.STATE_NOT_FOUND);
    environment.restoreFrom = "chk-9";
    server.signal(LaneSignals.RETRY);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.RECOVERED);
    assertThat(environment.ends).extracting(it -> it.job().jobId()).containsExactly("job-of-6");
    assertThat(environment.startedFrom).isEqualTo(new StateRef.Savepoint("chk-9"));
  }

  @Test
  void deletionCancelsTheJobAndEndsIt() {
    server.delete();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.DELETED);
    assertThat(environment.calls).contains("CancelJob", "EndJob");
    assertThat(environment.ends)
        .singleElement()
        .satisfies(it -> assertThat(it.onlyWhile()).isNull());
  }

  @Test
  void deletionTakesASavepointWhereTheSpecAsksForOne() {
    environment.deletionSavepointMs = 600_000;

    server.delete();

    assertThat(server.outcome().savepoint()).isEqualTo("savepoint-of-6");
    assertThat(environment.ends).hasSize(1);
  }

  @Test
  void deletionEndsAndSaysWhatMayStillRun() {
    environment.reachable = false;
    for (int i = 0; i < 100; i++) {
      environment.gate.fail(
          Step.END_JOB, failure(FailureType.CLUSTER_NOT_GONE, "session does not answer"));
    }

    server.delete();

    OperationResult outcome = server.outcome();
    assertThat(outcome.result()).isEqualTo(OperationResult.DELETED);
    assertThat(environment.reports.get(environment.reports.size() - 1).message())
        .isEqualTo(
            "The job may still run on its session cluster, and has to be cancelled there: session does not answer");
  }

  @Test
  void deletionFindsTheJobThatWasBeingStartedWhenItLooked() throws Exception {
    environment.gate.hold(Step.CANCEL_JOB);
    server.delete();
    environment.gate.awaitReached();
    environment.jobId = "job-of-7";
    environment.gate.open();

    server.outcome();

    assertThat(environment.ends).extracting(it -> it.job().jobId()).containsExactly("job-of-7");
  }

  @Test
  void deletionOfWhatNeverRanEndsNoJob() {
    given(FakeSessionJob.unstarted());

    server.delete();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.DELETED);
    assertThat(environment.ends).isEmpty();
  }
}
