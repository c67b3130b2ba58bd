package dev.sluice.workflows.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import com.uber.m3.tally.RootScopeBuilder;
import com.uber.m3.tally.Scope;
import com.uber.m3.tally.ScopeCloseException;
import com.uber.m3.util.Duration;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.workflows.operation.Ids;
import dev.sluice.workflows.simulation.WorkflowWorker;
import dev.sluice.workflows.snapshot.SnapshotActivities.DisposeRequest;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.temporal.common.reporter.MicrometerClientStatsReporter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a snapshot does where one thing goes other than it should. */
class SnapshotTest {

  private final WorkflowWorker workflows = new WorkflowWorker(SnapshotWorkflow.class);
  private final SnapshotModel model = new SnapshotModel();
  private final SnapshotLane lane = new SnapshotLane(workflows, model, "before-the-change");

  @AfterEach
  void noRuleIsBroken() {
    workflows.close();
    assertThat(model.violations).isEmpty();
  }

  @Test
  void itIsTriggeredOnceAndRecorded() {
    lane.untilRest();

    assertThat(model.record.state()).isEqualTo(SnapshotState.COMPLETED);
    assertThat(model.record.path()).isEqualTo("s3://savepoints/1");
    assertThat(model.record.failures()).isZero();
    assertThat(model.triggers).hasSize(1);
    assertThat(model.operation()).isEqualTo(OperationState.SUCCEEDED);
    assertThat(model.steps)
        .containsExactly(
            "ObserveSnapshot",
            "RecordSnapshot",
            "AwaitJob",
            "RecordSnapshot",
            "TakeSnapshot",
            "RecordSnapshot");
  }

  @Test
  void itsRunIsCountedOnceWithItsOutcome() throws ScopeCloseException {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    Scope metrics =
        new RootScopeBuilder()
            .reporter(new MicrometerClientStatsReporter(registry))
            .reportEvery(Duration.ofHours(1));
    try (WorkflowWorker measured = new WorkflowWorker(metrics, SnapshotWorkflow.class)) {
      new SnapshotLane(measured, model, "measured").untilRest();
    }
    metrics.close();

    assertThat(registry.get("sluice_operations_started").counter().count()).isEqualTo(1);
    assertThat(
            registry
                .get("sluice_operations_ended")
                .tags("kind", "FlinkStateSnapshot", "outcome", "Completed")
                .counter()
                .count())
        .isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"0,1", "1,2", "3,4"})
  void backoffLimitSaysHowManyAttemptsMayFail(int limit, int attempts) {
    model.failuresAllowed = limit;
    model.failing = 100;

    lane.untilRest();

    assertThat(model.record.state()).isEqualTo(SnapshotState.FAILED);
    assertThat(model.record.failures()).isEqualTo(attempts);
    assertThat(model.record.error()).contains("the directory refuses");
    assertThat(model.triggers).hasSize(attempts).doesNotHaveDuplicates();
  }

  @Test
  void withoutALimitItIsTriedUntilItSucceeds() {
    model.failing = 12;

    lane.untilRest();

    assertThat(model.record.state()).isEqualTo(SnapshotState.COMPLETED);
    assertThat(model.record.failures()).isEqualTo(12);
    assertThat(model.record.error()).isNull();
  }

  /** Temporal ends a run whose history is too long. */
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void attemptsWithoutAnEndGoOnInRunsOfTheirOwn(boolean fail) {
    model.failing = fail ? 3 : 0;
    model.stops = fail ? 0 : 3;
    model.script = (call, step, after) -> lane.temporal().historyIsLong();

    lane.untilRest();

    assertThat(lane.runs()).isEqualTo(4);
    assertThat(model.record.state()).isEqualTo(SnapshotState.COMPLETED);
    assertThat(model.record.failures()).isEqualTo(fail ? 3 : 0);
    assertThat(model.triggers).hasSize(4).doesNotHaveDuplicates();
  }

  /** Apache's operator doubles without a cap: 45 h after 15 failures. */
  @ParameterizedTest
  @CsvSource({"1,10", "2,20", "3,40", "6,320", "7,600", "8,600", "100,600"})
  void thePauseDoublesUpToTenMinutes(int failures, long seconds) {
    assertThat(SnapshotWorkflow.pauseAfter(failures)).hasSeconds(seconds);
  }

  @Test
  void theAttemptIsShown() {
    model.failuresAllowed = 3;
    model.failing = 1;

    lane.untilRest();

    assertThat(model.reports)
        .anyMatch(it -> it.message().startsWith("Attempt 1 of 4 failed. Retrying in 10 s"))
        .anyMatch(it -> it.message().startsWith("Attempt 2 of 4: savepoint of"));
  }

  /** W3: ABANDONED (terminal) after one transient failure. */
  @Test
  void w3AJobThatIsNotUpIsWaitedForAndIsNoAttempt() {
    model.failuresAllowed = 0;
    model.notUp = 3;

    lane.untilRest();

    assertThat(model.record.state()).isEqualTo(SnapshotState.COMPLETED);
    assertThat(model.record.failures()).isZero();
    assertThat(model.reports).anyMatch(it -> it.state() == OperationState.BLOCKED);
  }

  /** Its JobManager was restarted, and nobody knows whether it was completed. */
  @Test
  void aLostOneIsReportedWithItsDirectoryAndCountsAsAnAttempt() {
    model.restarts = 1;
    model.failuresAllowed = 1;

    lane.untilRest();

    assertThat(model.record.state()).isEqualTo(SnapshotState.COMPLETED);
    assertThat(model.record.failures()).isEqualTo(1);
    assertThat(model.triggers).hasSize(2).doesNotHaveDuplicates();
    assertThat(model.reports)
        .anyMatch(
            it -> it.message().contains("failed. Retrying in 10 s: it is lost; see in s3://"));
  }

  /** W4: REST error while polling a savepoint triggers a second savepoint. */
  @Test
  void w4NoAnswerIsNoAttemptAndNoSecondSavepoint() {
    model.failuresAllowed = 0;
    model.silent = 5;

    lane.untilRest();

    assertThat(model.record.state()).isEqualTo(SnapshotState.COMPLETED);
    assertThat(model.triggers).hasSize(1);
  }

  @Test
  void aJobThatIsGoneAbandonsIt() {
    model.noJob = "FlinkDeployment default/orders does not exist";

    lane.untilRest();

    assertThat(model.record.state()).isEqualTo(SnapshotState.ABANDONED);
    assertThat(model.record.error()).isEqualTo(model.noJob);
    assertThat(model.triggers).isEmpty();
  }

  /** W3, and a race of Apache's operator: an upgrade kills the snapshot in flight for good. */
  @Test
  void anUpgradeThatReplacesTheJobIsNotCountedAndTheNewJobIsTaken() {
    model.failuresAllowed = 0;
    model.replacements = 1;

    lane.untilRest();

    assertThat(model.record.state()).isEqualTo(SnapshotState.COMPLETED);
    assertThat(model.record.failures()).isZero();
    assertThat(model.record.jobId()).isEqualTo(model.job).isNotEqualTo(SnapshotModel.JOB);
    assertThat(model.taken).hasSize(1);
  }

  /** A pause that doubles is deaf for ten minutes after a long upgrade. */
  @Test
  void theJobIsWaitedForAgainSoonHoweverLongItIsHeld() {
    model.notUp = 20;
    long before = lane.temporal().now();

    lane.untilRest();

    assertThat(model.record.state()).isEqualTo(SnapshotState.COMPLETED);
    assertThat(lane.temporal().now() - before).isLessThan(130_000L);
  }

  @Test
  void anOperationThatStopsTheJobIsNotCountedAndItIsTakenAgain() {
    model.failuresAllowed = 0;
    model.stops = 2;

    lane.untilRest();

    assertThat(model.record.state()).isEqualTo(SnapshotState.COMPLETED);
    assertThat(model.record.failures()).isZero();
    assertThat(model.triggers).hasSize(3).doesNotHaveDuplicates();
    assertThat(model.reports)
        .anyMatch(
            it ->
                it.message()
                    .startsWith(
                        "Attempt 1 of 1 was interrupted (not counted as a failure). Retrying in 10"
                            + " s"))
        .noneMatch(it -> it.message().contains("Retrying in 20 s"));
  }

  @Test
  void aJobThatIsGoneAfterItWasStoppedAbandonsIt() {
    model.stops = 1;
    model.script =
        (call, step, after) -> {
          if (step.equals("TakeSnapshot") && after) {
            model.noJob = "FlinkDeployment default/orders is suspended";
          }
        };

    lane.untilRest();

    assertThat(model.record.state()).isEqualTo(SnapshotState.ABANDONED);
    assertThat(model.record.error()).startsWith(model.noJob);
    assertThat(model.record.failures()).isZero();
  }

  @Test
  void theNextAttemptTakesTheJobThatAnUpgradeHasStartedInThePause() {
    model.failing = 1;
    model.script =
        (call, step, after) -> {
          if (step.equals("TakeSnapshot") && after) {
            model.job = "0123456789abcdef0123456789abcdef";
          }
        };

    lane.untilRest();

    assertThat(model.record.state()).isEqualTo(SnapshotState.COMPLETED);
    assertThat(model.record.jobId()).isEqualTo(model.job);
    assertThat(model.record.failures()).isEqualTo(1);
  }

  @Test
  void whatWasTakenBeforeTheJobEndedIsFound() {
    model.silent = 1;
    model.script =
        (call, step, after) -> {
          if (step.equals("TakeSnapshot") && after) {
            model.noJob = "the job is FINISHED";
          }
        };

    lane.untilRest();

    assertThat(model.record.state()).isEqualTo(SnapshotState.COMPLETED);
    assertThat(model.triggers).hasSize(1);
  }

  /** The status of a job has one of a type after the other. */
  @Test
  void eachOfALaneWithoutAResourceHasATriggerOfItsOwnAndTheHistoryIsTrimmed() {
    SnapshotLane status = SnapshotLane.ofStatus(workflows, model, "orders");
    status.untilRest();
    model.id = "uid-2";
    model.record = FlinkStateSnapshotStatus.EMPTY.attempts();
    model.excess = List.of("s3://savepoints/1", "s3://savepoints/0");

    status.untilRest();

    assertThat(model.record.path()).isEqualTo("s3://savepoints/2");
    assertThat(model.triggers)
        .containsExactly(Ids.after("uid", "snapshot", null), Ids.after("uid-2", "snapshot", null));
    assertThat(model.disposed).containsExactly("s3://savepoints/1", "s3://savepoints/0");
  }

  /** The run would be open for two minutes for each of them. */
  @Test
  void aTrimThatComesToNoEndIsNotTriedWithTheNextOne() {
    model.excess = List.of("s3://savepoints/b", "s3://savepoints/a");
    model.disposalHangs = true;

    SnapshotLane.ofStatus(workflows, model, "orders").untilRest();

    assertThat(model.record.state()).isEqualTo(SnapshotState.COMPLETED);
    assertThat(model.steps).containsOnlyOnce("DisposeSavepoint");
  }

  @Test
  void whatTheHistoryHasNoPlaceForIsTrimmedWithinTwoMinutesAndOneIsNotInTheWayOfTheOthers() {
    model.excess = List.of("s3://savepoints/c", "s3://savepoints/b", "s3://savepoints/a");
    SnapshotLane status = SnapshotLane.ofStatus(workflows, model, "orders");

    status.untilRest();

    assertThat(model.disposals).extracting(DisposeRequest::path).isEqualTo(model.excess);
    assertThat(model.disposals)
        .allSatisfy(
            it ->
                assertThat(it.deadlineMs()).isLessThanOrEqualTo(status.temporal().now() + 30_000));
  }

  @Test
  void anAbortEndsTheWaitForTheJob() {
    model.notUp = 1_000;
    model.script =
        (call, step, after) -> {
          if (model.operation() == OperationState.BLOCKED) {
            lane.abort();
          }
        };

    lane.untilRest();

    assertThat(model.record.state()).isEqualTo(SnapshotState.ABANDONED);
    assertThat(model.triggers).isEmpty();
  }

  @Test
  void anAbortedAttemptSaysThatItsFilesMayBeLeft() {
    model.silent = 1;
    model.script =
        (call, step, after) -> {
          if (step.equals("TakeSnapshot") && !after) {
            lane.abort();
          }
        };

    lane.untilRest();

    assertThat(model.record.state()).isEqualTo(SnapshotState.ABANDONED);
    assertThat(model.record.error()).contains("Flink may still complete what was triggered");
  }

  /** No pause is shorter than 10 s. */
  @ParameterizedTest
  @CsvSource({"retry,COMPLETED", "abort,ABANDONED", "delete,"})
  void whatIsRequestedInAPauseIsDoneAtOnce(String request, @Nullable SnapshotState state) {
    model.failing = 7;
    lane.untilPause("failed. Retrying in 600 s");
    long before = lane.temporal().now();

    switch (request) {
      case "retry" -> lane.temporal().signal("retry");
      case "abort" -> lane.abort();
      default -> lane.delete();
    }
    lane.untilClosed();

    assertThat(lane.temporal().now() - before).isLessThan(1_000);
    if (state == null) {
      assertThat(model.operation()).isEqualTo(OperationState.SUCCEEDED);
    } else {
      assertThat(model.record.state()).isEqualTo(state);
    }
    assertThat(model.triggers).hasSize(request.equals("retry") ? 8 : 7).doesNotHaveDuplicates();
  }

  /** Nothing is deleted, so the attempt goes on. */
  @Test
  void aDeleteSignalByHandIsNoDeletion() {
    model.failing = 7;
    lane.untilPause("failed. Retrying in 600 s");

    lane.temporal().signal("delete");
    lane.untilClosed();

    assertThat(model.record.state()).isEqualTo(SnapshotState.COMPLETED);
  }
}
