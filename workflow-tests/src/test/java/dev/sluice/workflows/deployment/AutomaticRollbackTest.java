package dev.sluice.workflows.deployment;

import static dev.sluice.workflows.fake.FakeEnvironment.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.StableAfter;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.fake.FakeEnvironment;
import dev.sluice.workflows.fake.OperationTestServer;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code kubernetes.operator.deployment.rollback.enabled}. */
@Execution(ExecutionMode.CONCURRENT)
class AutomaticRollbackTest {

  private static final StateRef BEFORE = new StateRef.Savepoint("savepoint-of-6");

  /** Pauses of 5 s, doubled each time, pass the readiness timeout of 300 s with this attempt. */
  private static final int ATTEMPTS = 7;

  private final FakeEnvironment environment = FakeEnvironment.running(6, 7);
  private final OperationTestServer server = new OperationTestServer(environment);

  @AfterEach
  void noInvariantWasBroken() {
    environment.gate.open();
    server.close();
    assertThat(environment.violations).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "AWAIT_RUNNING,     ClusterNotReady",
    "AWAIT_RUNNING,     JobFailed",
    "AWAIT_RUNNING,     RestoredElsewhere",
    "AWAIT_JOB_MANAGER, ClusterNotReady",
    "AWAIT_JOB_MANAGER, PodFailed",
  })
  void anUpgradeThatDoesNotComeUpIsRolledBackToTheStateOfBefore(Step step, String reason)
      throws Exception {
    environment.rollsBack = true;
    environment.gate.fail(step, failure(reason, "it is broken"));

    server.signalWithStart("Upgrade", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.ROLLED_BACK);
    assertThat(environment.stable).isEqualTo(6);
    assertThat(environment.startedFrom).isEqualTo(BEFORE);
    assertThat(environment.reports)
        .noneMatch(it -> it.state().isOpen() && it.state() != OperationState.RUNNING);
  }

  @Test
  void theStatusSaysWhyTheNewerSpecWasGivenUp() throws Exception {
    environment.rollsBack = true;
    environment.gate.fail(Step.AWAIT_RUNNING, failure(FailureType.JOB_FAILED, "no such topic"));

    server.signalWithStart("Upgrade", 7);

    server.outcome();
    assertThat(environment.reports.get(environment.reports.size() - 1).message())
        .isEqualTo(
            "Generation 6 is deployed: flink:2.2, parallelism 2. The newer spec was given up:"
                + " generation 7 did not come up (JobFailed: no such topic)");
  }

  @ParameterizedTest
  @ValueSource(strings = {FailureType.IMAGE_PULL_FAILED, FailureType.REFUSED})
  void aCauseThatMayPassIsWaitedForAsLongAsAStartMayTake(String reason) throws Exception {
    environment.rollsBack = true;
    for (int i = 0; i < ATTEMPTS; i++) {
      environment.gate.fail(Step.AWAIT_JOB_MANAGER, failure(reason, "it is not there"));
    }

    server.signalWithStart("Upgrade", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.ROLLED_BACK);
    assertThat(said(reason)).isEqualTo(OperationState.BLOCKED);
  }

  @ParameterizedTest
  @ValueSource(strings = {FailureType.IMAGE_PULL_FAILED, FailureType.REFUSED})
  void aCauseThatPassesInTimeIsNoReasonToGoBack(String reason) throws Exception {
    environment.rollsBack = true;
    environment.gate.fail(Step.AWAIT_JOB_MANAGER, failure(reason, "it is not there"));

    server.signalWithStart("Upgrade", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
  }

  /** Rule 1: the old job had state, and it was given up. */
  @Test
  void itIsNotRolledBackToAnEmptyState() {
    environment.rollsBack = true;
    environment.mode = UpgradeMode.STATELESS;
    environment.gate.fail(Step.AWAIT_RUNNING, failure(FailureType.JOB_FAILED, "no such topic"));

    server.signalWithStart("Upgrade", 7);

    await().until(() -> environment.lastReported() == OperationState.PARKED);
    assertThat(environment.cluster).isEqualTo(7);
  }

  /** The state from before was written by the old Flink: nothing that the new one wrote is read. */
  @Test
  void anUpgradeToAnotherFlinkVersionIsRolledBackToTheStateThatTheOldOneWrote() throws Exception {
    environment.rollsBack = true;
    environment.versions.put(6L, FlinkVersion.V1_20);
    environment.mode = UpgradeMode.LAST_STATE;
    environment.frozenMode = UpgradeMode.LAST_STATE;
    environment.gate.fail(Step.AWAIT_RUNNING, failure(FailureType.JOB_FAILED, "no such class"));

    server.signalWithStart("Upgrade", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.ROLLED_BACK);
    assertThat(environment.cluster).isEqualTo(6);
    assertThat(environment.startedFrom).isEqualTo(BEFORE);
  }

  /** Nothing is given up by that: the job of the stable spec always starts empty. */
  @Test
  void aStatelessSpecIsRolledBackToAStatelessSpec() throws Exception {
    environment.rollsBack = true;
    environment.afterStateless = true;
    environment.mode = UpgradeMode.STATELESS;
    environment.frozenMode = UpgradeMode.STATELESS;
    environment.gate.fail(Step.AWAIT_RUNNING, failure(FailureType.JOB_FAILED, "no such topic"));

    server.signalWithStart("Upgrade", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.ROLLED_BACK);
    assertThat(environment.stable).isEqualTo(6);
    assertThat(environment.cluster).isEqualTo(6);
    assertThat(environment.startedFrom).isInstanceOf(StateRef.Empty.class);
  }

  /** The image came while the run was pausing, and the job failed. */
  @Test
  void aFailureThatIsFoundByALookCountsAsWell() throws Exception {
    environment.rollsBack = true;
    environment.gate.fail(
        Step.AWAIT_JOB_MANAGER, failure(FailureType.IMAGE_PULL_FAILED, "ErrImagePull"));
    environment.gate.hold(Step.AWAIT_JOB_MANAGER);
    server.signalWithStart("Upgrade", 7);
    environment.gate.awaitReached();

    environment.jobState = FlinkJobState.FAILED;
    environment.gate.open();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.ROLLED_BACK);
    assertThat(environment.startedFrom).isEqualTo(BEFORE);
  }

  @Test
  void withoutTheKeyItIsParked() {
    environment.gate.fail(Step.AWAIT_RUNNING, failure(FailureType.JOB_FAILED, "no such topic"));

    server.signalWithStart("Upgrade", 7);

    await().until(() -> environment.lastReported() == OperationState.PARKED);
    assertThat(environment.cluster).isEqualTo(7);
  }

  @Test
  void aJobThatCameUpMeanwhileIsLeftAlone() throws Exception {
    environment.rollsBack = true;
    environment.gate.fail(
        Step.AWAIT_JOB_MANAGER, failure(FailureType.CLUSTER_NOT_READY, "no answer in time"));
    environment.gate.hold(Step.AWAIT_JOB_MANAGER);
    server.signalWithStart("Upgrade", 7);
    environment.gate.awaitReached();

    environment.jobState = FlinkJobState.RUNNING;
    environment.gate.open();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
  }

  /** What the worker cannot ask may be stable for long: silence is no proof. */
  @Test
  void aJobThatCannotBeAskedIsNotGivenUpAsNotStable() throws Exception {
    environment.rollsBack = true;
    environment.stableAfter = new StableAfter(120_000);
    environment.gate.fail(Step.AWAIT_STABLE, failure(FailureType.NOT_STABLE, "0 s of 2 min"));
    environment.gate.hold(Step.AWAIT_STABLE);
    server.signalWithStart("Upgrade", 7);
    environment.gate.awaitReached();
    String job = environment.jobId;

    environment.reachable = false;
    environment.gate.open();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.jobId).isEqualTo(job);
    assertThat(environment.reports).anyMatch(it -> FailureType.NOT_STABLE.equals(it.reason()));
  }

  @Test
  void aJobThatWasUpIsNotGivenUpBecauseItsJobManagerDoesNotAnswerAnyMore() throws Exception {
    environment.rollsBack = true;
    environment.stableAfter = new StableAfter(120_000);
    environment.gate.fail(Step.AWAIT_STABLE, failure(FailureType.NOT_STABLE, "0 s of 2 min"));
    environment.gate.hold(Step.AWAIT_STABLE);
    server.signalWithStart("Upgrade", 7);
    environment.gate.awaitReached();
    String job = environment.jobId;

    environment.reachable = false;
    environment.gate.fail(
        Step.AWAIT_JOB_MANAGER, failure(FailureType.CLUSTER_NOT_READY, "no answer in time"));
    environment.gate.open();
    await().until(() -> said(FailureType.JOB_MANAGER_SILENT).equals(OperationState.BLOCKED));
    environment.reachable = true;

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.jobId).isEqualTo(job);
    assertThat(environment.reports)
        .as("no hold is told of a job that answers again")
        .extracting(it -> it.state() + " " + it.step())
        .endsWith("Running AwaitStable", "Succeeded MarkStable");
  }

  /** Nothing is known against it, however long that lasts. */
  @Test
  void aJobThatWasUpAndIsSilentForLongIsNotRolledBack() {
    environment.rollsBack = true;
    environment.stableAfter = new StableAfter(120_000);
    for (int i = 0; i < 20; i++) {
      environment.gate.fail(
          Step.AWAIT_STABLE, failure(FailureType.JOB_MANAGER_SILENT, "for 300 s"));
    }

    server.signalWithStart("Upgrade", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(said(FailureType.JOB_MANAGER_SILENT)).isEqualTo(OperationState.BLOCKED);
  }

  /** The state that was reported last with this reason; RUNNING when none was. */
  private OperationState said(String reason) {
    return environment.reports.stream()
        .filter(it -> reason.equals(it.reason()))
        .map(OperationReport::state)
        .reduce(OperationState.RUNNING, (first, last) -> last);
  }

  @Test
  void aJobThatAnswersAndIsNotStableIsRolledBack() {
    environment.rollsBack = true;
    environment.stableAfter = new StableAfter(120_000);
    environment.gate.fail(Step.AWAIT_STABLE, failure(FailureType.NOT_STABLE, "0 s of 2 min"));

    server.signalWithStart("Upgrade", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.ROLLED_BACK);
  }

  @Test
  void aJobThatHasFinishedInTheLastMomentIsLeftAlone() throws Exception {
    environment.rollsBack = true;
    environment.stableAfter = new StableAfter(120_000);
    environment.gate.fail(Step.AWAIT_STABLE, failure(FailureType.NOT_STABLE, "0 s of 2 min"));
    environment.gate.hold(Step.AWAIT_STABLE);
    server.signalWithStart("Upgrade", 7);
    environment.gate.awaitReached();

    environment.jobState = FlinkJobState.FINISHED;
    environment.gate.open();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
  }

  @Test
  void aFirstDeploymentHasNothingToGoBackTo() {
    environment.rollsBack = true;
    environment.frozen = null;
    environment.stable = null;
    environment.cluster = null;
    environment.jobId = null;
    environment.preparedJobId = null;
    environment.gate.fail(Step.AWAIT_RUNNING, failure(FailureType.JOB_FAILED, "no such topic"));

    server.signalWithStart("Deploy", 7);

    await().until(() -> environment.lastReported() == OperationState.PARKED);
  }

  /** Both specs are broken: going back and forth would never end. */
  @Test
  void aRollbackThatDoesNotComeUpIsParked() {
    environment.rollsBack = true;
    environment.gate.fail(Step.AWAIT_RUNNING, failure(FailureType.JOB_FAILED, "no such topic"));
    environment.gate.fail(Step.AWAIT_RUNNING, failure(FailureType.JOB_FAILED, "nor this one"));

    server.signalWithStart("Upgrade", 7);

    await().until(() -> environment.lastReported() == OperationState.PARKED);
    assertThat(environment.cluster).isEqualTo(6);
  }

  @Test
  void aDeletionThatCameMeanwhileWins() throws Exception {
    environment.rollsBack = true;
    environment.gate.fail(Step.AWAIT_RUNNING, failure(FailureType.JOB_FAILED, "no such topic"));
    environment.gate.hold(Step.CREATE_CLUSTER);
    server.signalWithStart("Upgrade", 7);
    environment.gate.awaitReached();

    server.delete();
    environment.gate.open();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.DELETED);
  }

  @Test
  void aRetryTriesTheSameSpecAgain() throws Exception {
    environment.rollsBack = true;
    environment.gate.fail(Step.AWAIT_RUNNING, failure(FailureType.JOB_FAILED, "no such topic"));
    server.signalWithStart("Upgrade", 7);
    server.outcome();

    server.signalWithStart("Upgrade", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.stable).isEqualTo(7);
  }
}
