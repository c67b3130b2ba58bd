package dev.sluice.workflows.deployment;

import static dev.sluice.workflows.fake.FakeEnvironment.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.api.common.StableAfter;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.fake.FakeEnvironment;
import dev.sluice.workflows.fake.OperationTestServer;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code sluice.dev/stable-after} and {@code sluice.dev/stable-after-checkpoints}. */
@Execution(ExecutionMode.CONCURRENT)
class StableAfterTest {

  private static final StateRef BEFORE = new StateRef.Savepoint("savepoint-of-6");

  private final FakeEnvironment environment = FakeEnvironment.running(6, 7);
  private final OperationTestServer server = new OperationTestServer(environment);

  @AfterEach
  void noInvariantWasBroken() {
    environment.gate.open();
    server.close();
    assertThat(environment.violations).isEmpty();
  }

  private void twoMinutesAreAskedFor() {
    environment.stableAfter = new StableAfter(120_000);
  }

  private List<String> saidAt(Step step) {
    return environment.reports.stream()
        .filter(it -> it.step().equals(step.title()))
        .map(it -> it.state() + (it.reason() == null ? "" : " " + it.reason()))
        .toList();
  }

  @Test
  void withoutARequirementThereIsNoStepAndNoReport() {
    server.signalWithStart("Upgrade", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.calls).doesNotContain("AwaitStable");
    assertThat(environment.reports).hasSize(2);
  }

  @Test
  void aRequirementIsWaitedForBetweenRunningAndStable() {
    twoMinutesAreAskedFor();

    server.signalWithStart("Upgrade", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.calls)
        .containsSubsequence("AwaitRunning", "Report", "AwaitStable", "MarkStable");
    assertThat(environment.reports).hasSize(3);
    assertThat(saidAt(Step.AWAIT_STABLE)).containsExactly("Running");
  }

  @Test
  void afterAHoldTheWaitIsReportedOnce() {
    twoMinutesAreAskedFor();
    environment.gate.fail(
        Step.AWAIT_RUNNING, failure(FailureType.IMAGE_PULL_FAILED, "ErrImagePull"));

    server.signalWithStart("Upgrade", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(saidAt(Step.AWAIT_RUNNING)).containsExactly("Running", "Blocked ImagePullFailed");
    assertThat(saidAt(Step.AWAIT_STABLE)).containsExactly("Running");
  }

  @Test
  void nothingIsStableBeforeTheWaitIsOver() throws Exception {
    twoMinutesAreAskedFor();
    environment.gate.hold(Step.AWAIT_STABLE);

    server.signalWithStart("Upgrade", 7);
    environment.gate.awaitReached();

    assertThat(environment.stable).isEqualTo(6);
    assertThat(environment.cluster).isEqualTo(7);
    environment.gate.open();
    server.outcome();
    assertThat(environment.stable).isEqualTo(7);
  }

  @ParameterizedTest
  @ValueSource(strings = {"NotStable", "JobFailed", "PodFailed", "OtherJobs"})
  void anUpgradeThatDoesNotBecomeStableIsRolledBackWhereTheSpecAsksForThat(String reason) {
    twoMinutesAreAskedFor();
    environment.rollsBack = true;
    environment.gate.fail(Step.AWAIT_STABLE, failure(reason, "it is broken"));

    server.signalWithStart("Upgrade", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.ROLLED_BACK);
    assertThat(environment.stable).isEqualTo(6);
    assertThat(environment.startedFrom).isEqualTo(BEFORE);
    assertThat(environment.savepoints).isEqualTo(1);
  }

  @Test
  void withoutAutomaticRollbackItIsBlockedAndTheWaitGoesOn() {
    twoMinutesAreAskedFor();
    environment.gate.fail(Step.AWAIT_STABLE, failure(FailureType.NOT_STABLE, "it restarts"));
    environment.gate.fail(Step.AWAIT_STABLE, failure(FailureType.NOT_STABLE, "it restarts"));

    server.signalWithStart("Upgrade", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(saidAt(Step.AWAIT_STABLE)).containsExactly("Running", "Blocked NotStable");
    assertThat(environment.calls).filteredOn("AwaitStable"::equals).hasSize(3);
    assertThat(environment.savepoints).isEqualTo(1);
  }

  @Test
  void whatMayPassIsGivenAsLongAsAStartAlsoLongAfterTheStart() {
    twoMinutesAreAskedFor();
    environment.rollsBack = true;
    environment.gate.fail(
        Step.AWAIT_STABLE, failure(FailureType.IMAGE_PULL_FAILED, "ErrImagePull"));

    server.signalWithStart("Upgrade", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(saidAt(Step.AWAIT_STABLE))
        .containsExactly("Running", "Blocked ImagePullFailed", "Running");
  }

  @Test
  void aRollbackIsWaitedForAsWell() {
    twoMinutesAreAskedFor();
    environment.rollsBack = true;
    environment.gate.fail(Step.AWAIT_RUNNING, failure(FailureType.JOB_FAILED, "no such topic"));

    server.signalWithStart("Upgrade", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.ROLLED_BACK);
    assertThat(environment.calls).filteredOn("AwaitStable"::equals).hasSize(1);
  }

  /** Both specs are broken: going back and forth would never end. */
  @Test
  void aRollbackThatIsNotStableIsHeld() {
    twoMinutesAreAskedFor();
    environment.rollsBack = true;
    environment.gate.fail(Step.AWAIT_STABLE, failure(FailureType.JOB_FAILED, "no such topic"));
    environment.gate.fail(Step.AWAIT_STABLE, failure(FailureType.JOB_FAILED, "nor this one"));

    server.signalWithStart("Upgrade", 7);

    await().until(() -> environment.lastReported() == OperationState.PARKED);
    assertThat(environment.cluster).isEqualTo(6);
  }

  private void isNotStableAndWaitedForOn() throws Exception {
    twoMinutesAreAskedFor();
    environment.gate.fail(Step.AWAIT_STABLE, failure(FailureType.NOT_STABLE, "it restarts"));
    environment.gate.holdAfter(1, Step.AWAIT_STABLE);
    server.signalWithStart("Upgrade", 7);
    environment.gate.awaitReached();
    assertThat(saidAt(Step.AWAIT_STABLE)).containsExactly("Running", "Blocked NotStable");
  }

  /** The status offers it all the time. */
  @Test
  void aRetryReplacesAJobThatIsNotStableWhileItIsWaitedForOn() throws Exception {
    isNotStableAndWaitedForOn();
    String before = environment.jobId;
    environment.jobState = FlinkJobState.RESTARTING;

    server.signal(LaneSignals.RETRY);
    await().until(() -> saidAt(Step.AWAIT_STABLE).size() >= 3);
    environment.gate.open();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.jobId).isNotEqualTo(before);
    assertThat(environment.calls).filteredOn("CreateCluster"::equals).hasSize(2);
    assertThat(environment.startedFrom).isEqualTo(BEFORE);
    assertThat(saidAt(Step.AWAIT_STABLE))
        .containsExactly("Running", "Blocked NotStable", "Running", "Running");
  }

  @Test
  void aRetryBeginsTheWaitAnewForAJobThatIsUp() throws Exception {
    isNotStableAndWaitedForOn();
    String before = environment.jobId;

    server.signal(LaneSignals.RETRY);
    await().until(() -> saidAt(Step.AWAIT_STABLE).size() >= 3);
    environment.gate.open();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.jobId).isEqualTo(before);
    assertThat(environment.calls).filteredOn("AwaitStable"::equals).hasSize(3);
    assertThat(saidAt(Step.AWAIT_STABLE))
        .containsExactly("Running", "Blocked NotStable", "Running");
  }

  @Test
  void aRetryThatNobodyOffersDoesNotEndTheWait() throws Exception {
    twoMinutesAreAskedFor();
    environment.gate.hold(Step.AWAIT_STABLE);
    server.signalWithStart("Upgrade", 7);
    environment.gate.awaitReached();

    server.signal(LaneSignals.RETRY);
    environment.gate.open();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.calls).filteredOn("AwaitStable"::equals).hasSize(1);
  }

  /** That spec was stable before, and how often it is tried is limited. */
  @Test
  void aRecoveryIsNotWaitedFor() {
    twoMinutesAreAskedFor();
    environment.generation = 6;
    environment.jobState = FlinkJobState.FAILED;

    server.recover(RecoveryCause.JOB_FAILED, "job job-of-6 is FAILED: no such topic");

    assertThat(server.outcome().result()).isEqualTo(OperationResult.RECOVERED);
    assertThat(environment.calls).doesNotContain("AwaitStable");
  }

  @Test
  void aRunThatTakesOverGoesOnWaiting() throws Exception {
    twoMinutesAreAskedFor();
    environment.gate.hold(Step.AWAIT_STABLE);
    server.signalWithStart("Upgrade", 7);
    environment.gate.awaitReached();
    environment.gate.finishAfter(() -> server.lane().terminate("lost"));

    server.signalWithStart("Upgrade", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.calls).filteredOn("AwaitStable"::equals).hasSize(2);
    assertThat(environment.calls).filteredOn("CreateCluster"::equals).hasSize(1);
    assertThat(environment.reports).extracting(OperationReport::targetGeneration).contains(7L);
  }
}
