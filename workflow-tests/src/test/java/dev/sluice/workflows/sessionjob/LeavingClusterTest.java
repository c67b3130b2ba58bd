package dev.sluice.workflows.sessionjob;

import static dev.sluice.workflows.fake.FakeEnvironment.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.PendingStop;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.fake.FakeSessionJob;
import dev.sluice.workflows.fake.OperationTestServer;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A job that leaves a session cluster which is about to be replaced, with the spec that it has. */
@Execution(ExecutionMode.CONCURRENT)
class LeavingClusterTest {

  private static final StateRef FINISHED_BY_ITSELF = new StateRef.Empty("finished by itself");

  private final FakeSessionJob environment = FakeSessionJob.runningJob(6, 6);
  private final OperationTestServer server = new OperationTestServer(environment);

  @BeforeEach
  void theClusterGoes() {
    environment.clusterGoes = true;
  }

  @AfterEach
  void noInvariantWasBroken() {
    environment.gate.open();
    server.close();
    assertThat(environment.violations).isEmpty();
  }

  private void ends(FlinkJobState state, StateRef left) {
    environment.jobState = state;
    environment.newest = left;
  }

  private void isNotRunAgain() {
    assertThat(server.outcome().result()).isEqualTo(OperationResult.UP_TO_DATE);
    assertThat(environment.runs).isEmpty();
    assertThat(environment.phase).isEqualTo(Phase.IDLE);
    assertThat(environment.lastReported()).isEqualTo(OperationState.SUCCEEDED);
  }

  @ParameterizedTest
  @EnumSource(UpgradeMode.class)
  void aLiveJobIsStoppedAndStartedAgain(UpgradeMode mode) {
    environment.mode = mode;

    server.signalWithStart("Upgrade", 6);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.runs).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"FINISHED", "FAILED", "CANCELED"})
  void aJobThatEndsWhileItsJarCannotBeFetchedIsNotRunAgain(FlinkJobState state) {
    environment.gate.fail(Step.CHECK_JAR, failure(FailureType.REFUSED, "404"));
    environment.gate.fail(Step.CHECK_JAR, failure(FailureType.REFUSED, "404"));
    server.signalWithStart("Upgrade", 6);
    server.awaitHeld();

    ends(
        state,
        state == FlinkJobState.FINISHED ? FINISHED_BY_ITSELF : new StateRef.Checkpoint("chk-9"));

    isNotRunAgain();
    assertThat(environment.calls).doesNotContain("StopWithSavepoint");
  }

  @ParameterizedTest
  @CsvSource({"FINISHED", "FAILED", "CANCELED"})
  void aJobThatEndsWhileItsJarIsFetchedIsNotRunAgain(FlinkJobState state) throws Exception {
    environment.gate.hold(Step.CHECK_JAR);
    server.signalWithStart("Upgrade", 6);
    environment.gate.awaitReached();

    ends(
        state,
        state == FlinkJobState.FINISHED ? FINISHED_BY_ITSELF : new StateRef.Checkpoint("chk-9"));
    environment.gate.open();

    isNotRunAgain();
  }

  @ParameterizedTest
  @CsvSource({"SAVEPOINT, STOP_WITH_SAVEPOINT", "STATELESS, CANCEL_JOB"})
  void aJobThatFinishesBeforeItIsStoppedIsNotRunAgain(UpgradeMode mode, Step stop)
      throws Exception {
    environment.mode = mode;
    environment.gate.hold(stop);
    server.signalWithStart("Upgrade", 6);
    environment.gate.awaitReached();

    ends(FlinkJobState.FINISHED, FINISHED_BY_ITSELF);
    environment.gate.open();

    isNotRunAgain();
  }

  /** Also where the upgrade of the cluster was aborted meanwhile. */
  @Test
  void aRunThatTakesOverDoesNotRunAJobAgainThatHasFinished() {
    environment.phase = Phase.UPGRADING;
    environment.clusterGoes = false;
    ends(FlinkJobState.FINISHED, FINISHED_BY_ITSELF);

    server.signalWithStart("Upgrade", 6);

    isNotRunAgain();
  }

  /** The run before may have cancelled it. */
  @Test
  void aRunThatTakesOverStartsAJobAgainThatMayHaveBeenCancelledForThat() {
    environment.phase = Phase.UPGRADING;
    environment.pendingStop = new PendingStop(environment.jobId, null, null);
    ends(FlinkJobState.CANCELED, new StateRef.Checkpoint("chk-9"));

    server.signalWithStart("Upgrade", 6);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.startedFrom).isEqualTo(new StateRef.Checkpoint("chk-9"));
  }
}
