package dev.sluice.workflows.deployment;

import static dev.sluice.workflows.fake.FakeEnvironment.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.StableAfter;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.fake.FakeEnvironment;
import dev.sluice.workflows.fake.OperationTestServer;
import dev.sluice.workflows.model.ClusterObservation.JobManager;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** While an operation waits until its job is stable, the job leaves the recorded state behind. */
@Execution(ExecutionMode.CONCURRENT)
class JobThatWasUpTest {

  private static final StateRef BEFORE = new StateRef.Savepoint("savepoint-of-6");

  private final FakeEnvironment environment = FakeEnvironment.running(6, 7);
  private final OperationTestServer server = new OperationTestServer(environment);

  @AfterEach
  void noInvariantWasBroken() {
    environment.gate.open();
    server.close();
    assertThat(environment.violations).isEmpty();
  }

  private String isWaitedForUntilItIsStable() throws InterruptedException {
    environment.stableAfter = new StableAfter(120_000);
    environment.gate.hold(Step.AWAIT_STABLE);
    server.signalWithStart("Upgrade", 7);
    environment.gate.awaitReached();
    return Objects.requireNonNull(environment.jobId);
  }

  @Test
  void itIsRecordedThatTheJobWasUpUntilItIsStable() throws Exception {
    String job = isWaitedForUntilItIsStable();

    assertThat(environment.recorded.wasUp(job)).isTrue();
    environment.gate.open();
    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.recorded.wasUp(job)).isFalse();
  }

  @Test
  void withoutARequirementNothingIsRecorded() throws Exception {
    environment.gate.hold(Step.MARK_STABLE);
    server.signalWithStart("Upgrade", 7);
    environment.gate.awaitReached();

    assertThat(environment.recorded.wasUp(environment.jobId)).isFalse();
    assertThat(environment.reports).extracting(OperationReport::upJob).containsOnlyNulls();
  }

  @Test
  void theWaitBeginsOnlyOnceItIsRecorded() throws Exception {
    environment.stableAfter = new StableAfter(120_000);
    environment.gate.hold(Step.AWAIT_RUNNING);
    server.signalWithStart("Upgrade", 7);
    environment.gate.awaitReached();
    environment.gate.fail(Step.REPORT, failure(FailureType.TIMED_OUT, "no answer"));
    environment.gate.fail(Step.REPORT, failure(FailureType.TIMED_OUT, "no answer"));

    environment.gate.open();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.calls)
        .containsSubsequence("AwaitRunning", "Report", "Report", "Report", "AwaitStable");
    assertThat(environment.calls).filteredOn("AwaitStable"::equals).hasSize(1);
  }

  @Test
  void aPersonIsAskedWhenItsDeploymentIsDeleted() throws Exception {
    isWaitedForUntilItIsStable();

    environment.cluster = null;
    environment.jobId = null;
    environment.jobState = null;
    environment.gate.open();

    assertThat(server.awaitHeld().reason()).isEqualTo(Reasons.STATE_NOT_FOUND);
    assertThat(environment.calls).filteredOn("CreateCluster"::equals).hasSize(1);
  }

  @Test
  void aRetryDoesNotTakeItBackToWhatItWasStartedFromWhileItsJobManagerCrashes() throws Exception {
    String job = isWaitedForUntilItIsStable();
    environment.gate.fail(Step.AWAIT_STABLE, failure(FailureType.POD_FAILED, "OOMKilled"));
    environment.jobManager = JobManager.CRASHING;
    environment.reachable = false;
    environment.gate.open();
    await().until(() -> environment.lastReported() == OperationState.BLOCKED);

    server.signal(LaneSignals.RETRY);
    await().until(() -> saysThat(Reasons.STATE_NOT_FOUND));
    environment.jobManager = JobManager.MAY_HAVE_RUN;
    environment.reachable = true;

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.jobId).isEqualTo(job);
    assertThat(environment.calls).filteredOn("CreateCluster"::equals).hasSize(1);
  }

  private boolean saysThat(String reason) {
    return environment.reports.stream().anyMatch(it -> reason.equals(it.reason()));
  }

  @Test
  void aRunThatTakesOverDoesNotGiveItUpBecauseItCannotBeAsked() throws Exception {
    environment.rollsBack = true;
    String job = isWaitedForUntilItIsStable();
    environment.gate.finishAfter(() -> server.lane().terminate("lost"));
    environment.reachable = false;
    environment.gate.fail(
        Step.AWAIT_JOB_MANAGER, failure(FailureType.CLUSTER_NOT_READY, "no answer in time"));

    server.signalWithStart("Upgrade", 7);
    await().until(() -> saysThat(FailureType.JOB_MANAGER_SILENT));
    environment.reachable = true;
    server.signal(LaneSignals.RETRY);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.jobId).isEqualTo(job);
  }

  @Test
  void aRunThatTakesOverGivesItUpWhereItAnswersAndDoesNotComeBack() throws Exception {
    environment.rollsBack = true;
    isWaitedForUntilItIsStable();
    environment.gate.finishAfter(() -> server.lane().terminate("lost"));
    environment.jobState = FlinkJobState.RESTARTING;
    environment.gate.fail(
        Step.AWAIT_RUNNING, failure(FailureType.CLUSTER_NOT_READY, "0 of 2 tasks"));

    server.signalWithStart("Upgrade", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.ROLLED_BACK);
    assertThat(environment.startedFrom).isEqualTo(BEFORE);
  }
}
