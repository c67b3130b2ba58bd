package dev.sluice.workflows.deployment;

import static dev.sluice.workflows.fake.FakeEnvironment.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.PendingStop;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.JobActivities.CancelRequest;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.fake.FakeEnvironment;
import dev.sluice.workflows.fake.OperationTestServer;
import dev.sluice.workflows.model.JobObservation.Tasks;
import dev.sluice.workflows.model.JobObservation.Times;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.Observation.StateOptions;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs that are blocked or parked: what they say, what they look at, and when they go on. */
@Execution(ExecutionMode.CONCURRENT)
class HeldRunTest {

  private final FakeEnvironment environment = FakeEnvironment.running(6, 7);
  private final OperationTestServer server = new OperationTestServer(environment);

  @AfterEach
  void noInvariantWasBroken() {
    environment.gate.open();
    server.close();
    assertThat(environment.violations).isEmpty();
  }

  private long count(Step step) {
    return environment.calls.stream().filter(step.title()::equals).count();
  }

  /** Item 2: what was waited for has happened meanwhile. */
  @Test
  void aParkedRunGoesOnByItselfWhenTheJobIsUp() {
    environment.tasks = new Tasks(1, 0, 2);
    environment.gate.fail(
        Step.AWAIT_RUNNING, failure(FailureType.CLUSTER_NOT_READY, "1 of 2 tasks running"));
    environment.gate.fail(
        Step.AWAIT_JOB_MANAGER, failure(FailureType.CLUSTER_NOT_READY, "no answer"));
    server.signalWithStart("Upgrade", 7);
    await().until(() -> count(Step.CREATE_CLUSTER) == 1);

    environment.jobState = FlinkJobState.RUNNING;
    environment.tasks = new Tasks(2, 0, 2);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(count(Step.CREATE_CLUSTER)).isEqualTo(1);
  }

  /** Item 2, as seen live: retry deleted the healthy job. */
  @Test
  void retryLeavesAJobAloneThatCameUpMeanwhile() {
    environment.gate.fail(
        Step.AWAIT_RUNNING, failure(FailureType.RESTORED_ELSEWHERE, "another path"));
    server.signalWithStart("Upgrade", 7);
    server.awaitHeld();
    environment.jobState = FlinkJobState.RUNNING;
    environment.tasks = new Tasks(3, 1, 4);

    server.signal(LaneSignals.RETRY);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(count(Step.CREATE_CLUSTER)).isEqualTo(1);
    assertThat(environment.savepoints).isEqualTo(1);
  }

  /** Item 3: the new job has progressed, so a retry starts from its newest state. */
  @Test
  void retryNeverRewindsAJobThatProgressed() {
    environment.gate.fail(Step.AWAIT_RUNNING, failure(FailureType.JOB_FAILED, "no such topic"));
    server.signalWithStart("Upgrade", 7);
    server.awaitHeld();
    environment.jobState = FlinkJobState.FAILED;
    environment.newest = new StateRef.Checkpoint("chk-of-7");
    environment.progressed = true;

    server.signal(LaneSignals.RETRY);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.startedFrom).isEqualTo(new StateRef.Checkpoint("chk-of-7"));
  }

  @Test
  void anUpgradeThatAwaitsACheckpointGoesOnOnceItIsCompleted() {
    environment.mode = UpgradeMode.LAST_STATE;
    environment.newest = new StateRef.Checkpoint("s3://checkpoints/job-of-6/chk-9");
    environment.options = new StateOptions(false, true, true, 10_000L, false, null);
    environment.times = new Times(100_000, 1_000, 50_000, 99_000);
    server.signalWithStart("Upgrade", 7);
    String waits = server.awaitHeld().message();

    environment.newest = new StateRef.Checkpoint("s3://checkpoints/job-of-6/chk-10");
    environment.times = new Times(102_000, 1_000, 99_000, 0);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(waits).contains("max.allowed.checkpoint.age");
    assertThat(environment.startedFrom)
        .isEqualTo(new StateRef.Checkpoint("s3://checkpoints/job-of-6/chk-10"));
  }

  @Test
  void anUpgradeWaitsForASavepointThatSomebodyTakes() {
    environment.times = new Times(100_000, 1_000, 0, 0, 0, 99_000);
    server.signalWithStart("Upgrade", 7);
    String waits = server.awaitHeld().message();

    environment.times = new Times(102_000, 1_000, 0, 0);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(waits).contains("A savepoint of the job is in progress, which is waited for");
    assertThat(environment.reports)
        .as("by itself, and not because its history had become long")
        .extracting(it -> it.state() + " " + it.step())
        .contains("Running Observe");
  }

  /** The old job runs on, its savepoint keeps failing: only the mode is changed (FLINK-30528). */
  @Test
  void aChangeOfTheUpgradeModeAloneReachesAParkedUpgrade() {
    environment.newest = new StateRef.Checkpoint("s3://checkpoints/job-of-6/chk-9");
    environment.gate.fail(
        Step.STOP_WITH_SAVEPOINT, failure(FailureType.SAVEPOINT_FAILED, "the disk is full"));
    server.signalWithStart("Upgrade", 7);
    server.awaitHeld();
    environment.sameFrom = 7;
    environment.mode = UpgradeMode.LAST_STATE;
    environment.generation = 8;

    server.signalWithStart("Upgrade", 8);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.startedFrom)
        .isEqualTo(new StateRef.Checkpoint("s3://checkpoints/job-of-6/chk-9"));
    assertThat(environment.frozen).isEqualTo(8);
  }

  /** Item 9: a webhook that is down, a quota. */
  @ParameterizedTest
  @ValueSource(strings = {FailureType.REFUSED, FailureType.WRONG_KUBERNETES})
  void whatMayPassIsTriedAgainByItself(String type) {
    environment.gate.fail(Step.CREATE_CLUSTER, failure(type, "not now"));

    server.signalWithStart("Upgrade", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.reports)
        .anyMatch(r -> r.state() == OperationState.BLOCKED && type.equals(r.reason()));
  }

  @Test
  void abortLeavesABlockedRun() {
    for (int i = 0; i < 100; i++) {
      environment.gate.fail(Step.CREATE_CLUSTER, failure(FailureType.REFUSED, "quota"));
    }
    server.signalWithStart("Upgrade", 7);
    server.awaitHeld();

    server.signal(LaneSignals.ABORT, "enough");
    environment.gate.forget(Step.CREATE_CLUSTER);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.ROLLED_BACK);
    assertThat(environment.startedFrom).isEqualTo(new StateRef.Savepoint("savepoint-of-6"));
  }

  /** A status that says Blocked would have the controller start Finish again for ever. */
  @Test
  void aFinishThatHasNothingLeftToDoDoesNotStayBlocked() {
    environment.generation = 6;
    environment.jobState = FlinkJobState.FINISHED;
    environment.newest = new StateRef.Empty("finished by itself");
    environment.gate.fail(
        Step.STOP_JOB_MANAGER, failure(FailureType.CLUSTER_NOT_GONE, "a node is away"));
    environment.gate.fail(
        Step.STOP_JOB_MANAGER, failure(FailureType.OUTDATED, "made for another job"));

    server.signalWithStart("Finish", 6);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UP_TO_DATE);
    assertThat(environment.reports)
        .extracting(OperationReport::state)
        .containsExactly(OperationState.BLOCKED, OperationState.SUCCEEDED);
  }

  /** Item 8: the job counts as stopped until it is observed. */
  @Test
  void aStopWithAnUnknownOutcomeIsNotCalledUntouched() {
    environment.reachable = true;
    environment.gate.fail(
        Step.STOP_WITH_SAVEPOINT, failure(FailureType.TIMED_OUT, "no answer for 11 min"));
    environment.gate.fail(
        Step.STOP_WITH_SAVEPOINT, failure(FailureType.TIMED_OUT, "no answer for 11 min"));
    environment.gate.hold(Step.STOP_WITH_SAVEPOINT);
    server.signalWithStart("Upgrade", 7);
    await().until(() -> count(Step.STOP_WITH_SAVEPOINT) >= 1);
    environment.reachable = false;
    environment.gate.open();

    assertThat(server.awaitHeld().job()).doesNotContain("RUNNING").contains("not known");
    environment.reachable = true;
    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(environment.stops)
        .extracting("triggerId")
        .containsOnly(environment.stops.get(0).triggerId());
  }

  /** Item 13. */
  @Test
  void aNewerGenerationThatSaysTheSameCausesNoSecondStart() throws Exception {
    environment.gate.hold(Step.AWAIT_RUNNING);
    server.signalWithStart("Upgrade", 7);
    environment.gate.awaitReached();
    environment.sameFrom = 7;
    environment.generation = 8;

    server.signalWithStart("Upgrade", 8);
    await().until(() -> count(Step.OBSERVE) >= 2);
    environment.gate.open();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UPGRADED);
    assertThat(count(Step.CREATE_CLUSTER)).isEqualTo(1);
    assertThat(environment.cluster).isEqualTo(7);
  }

  /** Item 13. */
  @Test
  void aRevertWhileParkedBeforeTheStopEndsTheOperation() {
    for (int i = 0; i < 3; i++) {
      environment.gate.fail(
          Step.STOP_WITH_SAVEPOINT, failure(FailureType.SAVEPOINT_FAILED, "disk full"));
    }
    server.signalWithStart("Upgrade", 7);
    server.awaitHeld();
    environment.sameAsSix = 8L;
    environment.generation = 8;

    server.signalWithStart("Upgrade", 8);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UP_TO_DATE);
    assertThat(environment.phase).isEqualTo(Phase.IDLE);
    assertThat(environment.savepoints).isZero();
    assertThat(environment.cluster).isEqualTo(6);
  }

  /** Item 6: a resource that is gone never leads to deleting objects. */
  @ParameterizedTest
  @ValueSource(strings = {"Upgrade", "Delete"})
  void aResourceThatIsGoneLeavesItsObjectsAlone(String operation) {
    environment.exists = false;

    server.signalWithStart(operation, 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.GONE);
    assertThat(count(Step.DELETE_CLUSTER)).isZero();
    assertThat(environment.cluster).isEqualTo(6);
  }

  /** Item 7: an invalid newest spec changes nothing, and what was begun goes on. */
  @Test
  void anInvalidNewestSpecDoesNotBecomeAPlan() throws Exception {
    environment.gate.hold(Step.DELETE_CLUSTER);
    server.signalWithStart("Upgrade", 7);
    environment.gate.awaitReached();
    environment.generation = 8;
    environment.problem = "spec.job.parallelism: must be at least 1, is 0";

    server.signalWithStart("Upgrade", 8);
    environment.gate.open();

    assertThat(server.outcome().generation()).isEqualTo(7);
    assertThat(environment.cluster).isEqualTo(7);
  }

  @Test
  void anInvalidSpecTouchesNothing() {
    environment.problem = "spec.job.parallelism: must be at least 1, is 0";

    server.signalWithStart("Upgrade", 7);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.SUPERSEDED);
    assertThat(environment.phase).isEqualTo(Phase.IDLE);
    assertThat(environment.savepoints).isZero();
    assertThat(environment.reports).extracting(OperationReport::reason).contains("InvalidSpec");
  }

  @Test
  void aCorrectedSpecFollowsAnAbortedFirstDeployment() throws Exception {
    FakeEnvironment fresh = new FakeEnvironment();
    try (OperationTestServer first = new OperationTestServer(fresh)) {
      fresh.gate.hold(Step.AWAIT_RUNNING);
      first.signalWithStart("Deploy", 1);
      fresh.gate.awaitReached();
      first.signal(LaneSignals.ABORT, "wrong image");
      assertThat(first.outcome().result()).isEqualTo(OperationResult.ABORTED);
      fresh.gate.open();
      fresh.generation = 2;

      first.signalWithStart("Deploy", 2);

      assertThat(first.outcome().result()).isEqualTo(OperationResult.DEPLOYED);
      assertThat(fresh.startedFrom).isInstanceOf(StateRef.Empty.class);
    }
  }

  @Test
  void aGenerationThatIsNotThereIsNoReasonToHurry() {
    for (int i = 0; i < 100; i++) {
      environment.gate.fail(Step.FREEZE_TARGET, failure(FailureType.NAME_TAKEN, "orders"));
    }
    server.signalWithStart("Upgrade", 7);
    server.awaitHeld();
    Instant before = server.now();
    long tries = count(Step.FREEZE_TARGET);
    server.signal(LaneSignals.RETARGET, 999_999);

    server.signal(LaneSignals.ABORT, "enough");

    assertThat(server.outcome().result()).isEqualTo(OperationResult.ABORTED);
    long seconds = Duration.between(before, server.now()).toSeconds();
    assertThat(count(Step.FREEZE_TARGET) - tries).isLessThanOrEqualTo(2 + seconds / 30);
  }

  @Test
  void aSecondDeletionDoesNotInterruptTheFirst() throws Exception {
    environment.gate.fail(Step.OBSERVE, failure(FailureType.REFUSED, "no rights"));
    environment.gate.hold(Step.DELETE_CLUSTER);
    server.delete();
    server.signal(LaneSignals.DELETE);
    environment.gate.awaitReached();
    server.signal(LaneSignals.DELETE);
    environment.gate.open();

    assertThat(server.outcome().result()).isEqualTo(OperationResult.DELETED);
  }

  /** Item 17: the ids derive from the original run. */
  @Test
  void jobAndTriggerIdsAreThoseOfTheOriginalRun() {
    server.signalWithStart("Upgrade", 7);
    String run = server.lane().getExecution().getRunId();
    server.outcome();

    assertThat(environment.stops).hasSize(1);
    assertThat(environment.stops.get(0).triggerId())
        .isEqualTo(dev.sluice.workflows.operation.Ids.derive(originalRun(run), "stop", 1));
  }

  private String originalRun(String run) {
    return run.isEmpty() ? server.lane().describe().getExecution().getRunId() : run;
  }

  /** A JobManager that restarted since has begun the job again, without what it had done. */
  @Test
  void cancellationOfALostRun_jobBeganSince_isAskedForFromBeforeIt() {
    environment.mode = UpgradeMode.LAST_STATE;
    environment.frozenMode = UpgradeMode.LAST_STATE;
    environment.frozen = 7L;
    environment.phase = Phase.UPGRADING;
    environment.pendingStop = new PendingStop(environment.jobId, null, "1970-01-01T00:00:05Z");
    environment.times = new Times(100_000, 60_000, 90_000, 0);
    environment.newest = new StateRef.Checkpoint("s3://" + environment.jobId + "/chk-7");

    server.signalWithStart("Upgrade", 7);
    server.outcome();

    assertThat(environment.cancels).extracting(CancelRequest::begunAtMs).containsExactly(5_000L);
  }
}
