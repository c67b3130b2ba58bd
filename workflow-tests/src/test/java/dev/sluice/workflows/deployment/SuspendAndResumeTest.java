package dev.sluice.workflows.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.UpgradeMode;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What each request means at each step of a suspension and of a resume: docs/operations.md. */
@Execution(ExecutionMode.CONCURRENT)
class SuspendAndResumeTest {

  private static final StateRef LEFT = new StateRef.Savepoint("savepoint-of-suspended");

  private FakeEnvironment environment = FakeEnvironment.running(6, 7);
  private OperationTestServer server;

  private void suspending() {
    environment.suspended.add(7L);
    server = new OperationTestServer(environment);
  }

  private void resuming() {
    environment = FakeEnvironment.suspended(6, 7);
    server = new OperationTestServer(environment);
  }

  private void heldAt(String operation, Step step) throws InterruptedException {
    environment.gate.hold(step);
    server.signalWithStart(operation, 7);
    environment.gate.awaitReached();
  }

  private void openUnlessLeft(Step step) {
    if (step != Step.AWAIT_JOB_MANAGER && step != Step.AWAIT_RUNNING) {
      environment.gate.open();
    }
  }

  @AfterEach
  void noInvariantWasBroken() {
    environment.gate.open();
    server.close();
    assertThat(environment.violations).isEmpty();
  }

  /** W2, FLINK-40164: in Apache's operator such a suspension stays UPGRADING for ever. */
  @Test
  void aSuspensionThatCancelsTheJobEnds() throws Exception {
    suspending();
    environment.mode = UpgradeMode.LAST_STATE;
    environment.newest = new StateRef.Checkpoint("s3://checkpoints/job-of-6/chk-4");

    server.signalWithStart("Suspend", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.SUSPENDED);
    assertThat(environment.calls).contains("CancelJob").doesNotContain("StopWithSavepoint");
    assertThat(environment.recorded.state()).isEqualTo(environment.newest);
    assertThat(environment.cluster).isNull();
  }

  @Test
  void resumeStatelessStartsEmpty() throws Exception {
    resuming();
    environment.mode = UpgradeMode.STATELESS;

    server.signalWithStart("Resume", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.RESUMED);
    assertThat(environment.startedFrom).isInstanceOf(StateRef.Empty.class);
  }

  @ParameterizedTest
  @CsvSource({
    "OBSERVE,             Aborted,    6",
    "FREEZE_TARGET,       Aborted,    6",
    "STOP_WITH_SAVEPOINT, RolledBack, 6",
    "RECORD_STATE,        RolledBack, 6",
    "DELETE_CLUSTER,      RolledBack, 6",
    "MARK_STABLE,         Suspended,",
  })
  void abortOfASuspension(Step step, String result, Long runs) throws Exception {
    suspending();
    heldAt("Suspend", step);

    server.signal(LaneSignals.ABORT, "enough");
    environment.gate.open();

    assertThat(server.outcome().result()).isEqualTo(result);
    assertThat(environment.cluster).isEqualTo(runs);
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "OBSERVE",
        "FREEZE_TARGET",
        "STOP_WITH_SAVEPOINT",
        "RECORD_STATE",
        "DELETE_CLUSTER",
        "MARK_STABLE"
      })
  void aSuspensionThatIsTakenBackEndsWithARunningJob(Step step) throws Exception {
    suspending();
    heldAt("Suspend", step);

    environment.generation = 8;
    server.signalWithStart("Upgrade", 8);
    environment.gate.open();

    assertThat(server.outcome().generation()).isEqualTo(8);
    assertThat(environment.cluster).isEqualTo(8);
    assertThat(environment.jobState).isEqualTo(FlinkJobState.RUNNING);
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "OBSERVE",
        "FREEZE_TARGET",
        "RECORD_STATE",
        "DELETE_CLUSTER",
        "CREATE_CLUSTER",
        "AWAIT_JOB_MANAGER",
        "AWAIT_RUNNING"
      })
  void abortOfAResumeLeavesTheJobSuspended(Step step) throws Exception {
    resuming();
    heldAt("Resume", step);

    server.signal(LaneSignals.ABORT, "enough");
    openUnlessLeft(step);

    server.outcome();
    assertThat(environment.cluster).isNull();
    assertThat(environment.frozen).isEqualTo(6);
    assertThat(environment.recorded.state()).isEqualTo(LEFT);
    assertThat(environment.lastReported()).isIn(OperationState.ABORTED, OperationState.SUCCEEDED);
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "OBSERVE",
        "FREEZE_TARGET",
        "RECORD_STATE",
        "DELETE_CLUSTER",
        "CREATE_CLUSTER",
        "AWAIT_JOB_MANAGER",
        "AWAIT_RUNNING",
        "MARK_STABLE"
      })
  void aResumeThatIsTakenBackEndsSuspendedWithItsState(Step step) throws Exception {
    resuming();
    environment.suspended.add(8L);
    heldAt("Resume", step);

    environment.generation = 8;
    server.signalWithStart("Suspend", 8);
    openUnlessLeft(step);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.SUSPENDED);
    assertThat(environment.cluster).isNull();
    assertThat(environment.recorded.state()).isInstanceOf(StateRef.Savepoint.class);
  }

  @ParameterizedTest
  @EnumSource(
      names = {"OBSERVE", "FREEZE_TARGET", "DELETE_CLUSTER", "CREATE_CLUSTER", "AWAIT_RUNNING"})
  void deletionOfAResume(Step step) throws Exception {
    resuming();
    heldAt("Resume", step);

    server.delete();
    environment.gate.open();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.DELETED);
    assertThat(environment.cluster).isNull();
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "OBSERVE",
        "FREEZE_TARGET",
        "STOP_WITH_SAVEPOINT",
        "RECORD_STATE",
        "DELETE_CLUSTER",
        "MARK_STABLE"
      })
  void aSuspensionThatWasTerminatedIsTakenUpByANewRun(Step step) throws Exception {
    suspending();
    heldAt("Suspend", step);
    environment.gate.finishAfter(() -> server.lane().terminate("lost"));

    server.signalWithStart("Suspend", 7);

    server.outcome();
    assertThat(environment.cluster).isNull();
    assertThat(environment.stable).isEqualTo(7);
    assertThat(environment.savepoints).isEqualTo(1);
  }

  @Test
  void aDeletionOfASuspendedJobNamesItsState() throws Exception {
    resuming();

    server.delete();

    assertThat(server.outcome().savepoint()).isEqualTo("savepoint-of-suspended");
  }
}
