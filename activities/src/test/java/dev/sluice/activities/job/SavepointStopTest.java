package dev.sluice.activities.job;

import static dev.sluice.activities.support.FakeFlink.JOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.async.ActGuard;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JobType;
import dev.sluice.activities.flink.SavepointOperation;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Stats;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.Savepoint;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.JobActivities.TakenState;
import dev.sluice.workflows.model.StateRef;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SavepointStopTest extends SavepointStopScenario {

  @Test
  void triggersWithTheIdOfTheRequestAndAnswersWhereTheSavepointIs() {
    flink.running();
    SavepointStop stop = attempt(1);

    assertThat(look(stop)).isEqualTo(ProbeResult.notYet("the savepoint was triggered"));
    clock.advance(Duration.ofMillis(400));
    assertThat(look(stop)).isEqualTo(ProbeResult.notYet("the savepoint is being taken"));
    flink.savepoint(FIRST, new SavepointOperation.Completed(PATH));

    assertThat(look(stop))
        .isEqualTo(
            ProbeResult.done(
                new TakenState(
                    new StateRef.Savepoint(PATH),
                    "savepoint in 0.4 s",
                    Savepoint.ofOperation(clock.millis(), PATH, "CANONICAL"))));
    // no directory: the running cluster has one, and knows what it means inside its pods
    assertThat(flink.effects).containsExactly("stop " + FIRST + " to null CANONICAL");
  }

  @Test
  void aJobWithATaskThatHasFinishedIsReadyForASavepoint() {
    flink.job(JOB, FlinkJobState.RUNNING, FakeFlink.tasks(3, 1, 0));

    look(attempt(1));

    assertThat(flink.effects).hasSize(1);
  }

  @Test
  void nothingIsTriggeredWithoutTheLease() {
    flink.running();
    SavepointStop stop = attempt(1);

    assertThatThrownBy(() -> stop.look(() -> false))
        .isInstanceOf(ActGuard.NotLeasedException.class);
    assertThat(flink.effects).isEmpty();
    look(stop);

    assertThat(flink.effects).hasSize(1);
  }

  /** W4: whoever looks again finds the savepoint by its trigger id, and takes no second one. */
  @Test
  void takesOverWhatAnEarlierAttemptTriggered() {
    flink.running().savepoint(FIRST, new SavepointOperation.InProgress());

    ProbeResult<TakenState> seen = look(attempt(2));

    assertThat(seen).isEqualTo(ProbeResult.notYet("the savepoint is being taken"));
    assertThat(flink.effects).isEmpty();
  }

  /** W4. */
  @Test
  void anUnansweredPollTriggersNoSecondSavepoint() {
    flink.running();
    SavepointStop stop = attempt(1);
    look(stop);
    flink.up(false);
    assertThatThrownBy(() -> look(stop)).isInstanceOf(FlinkRestException.class);
    flink.up(true);

    assertThat(look(stop)).isEqualTo(ProbeResult.notYet("the savepoint is being taken"));
    assertThat(flink.effects).hasSize(1);
  }

  @Test
  void takesOverASecondTriggerAfterFlinkHasForgottenTheFirst() {
    flink.running().savepoint(SECOND, new SavepointOperation.InProgress());

    look(attempt(2));

    assertThat(flink.effects).isEmpty();
  }

  /** W4: the first request may still be on its way; under the same id Flink takes one savepoint. */
  @Test
  void aLaterAttemptSendsATriggerThatFlinkDoesNotKnowUnderTheSameId() {
    flink.running();

    look(attempt(3));

    assertThat(flink.effects).singleElement().asString().startsWith("stop " + FIRST);
  }

  @Test
  void answersASavepointThatWasDoneWhileNobodyLooked() {
    flink.job(FlinkJobState.FINISHED, 0).savepoint(FIRST, new SavepointOperation.Completed(PATH));

    assertThat(state(look(attempt(1)))).isEqualTo(new StateRef.Savepoint(PATH));
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void aFailedSavepointIsTriedAgainByTheNextAttemptUnderAnotherId() {
    flink.running().savepointFailed(FIRST);

    ProbeResult<TakenState> first = look(attempt(1));
    ProbeResult<TakenState> second = look(attempt(2));

    assertThat(first)
        .isEqualTo(
            ProbeResult.retry(
                FailureType.SAVEPOINT_FAILED,
                "Savepoint 1 of job "
                    + JOB
                    + " failed, the job runs on: IOException: disk is"
                    + " full"));
    assertThat(second).isInstanceOf(ProbeResult.NotYet.class);
    assertThat(flink.effects).singleElement().asString().startsWith("stop " + SECOND);
  }

  @Test
  void aFailureIsNotReportedOfAJobThatDoesNotRunAgain() {
    flink.job(FlinkJobState.RESTARTING, 0).savepointFailed(FIRST);
    SavepointStop stop = attempt(1);

    assertThat(look(stop))
        .isEqualTo(
            ProbeResult.notYet(
                "savepoint 1 failed (IOException: disk is full); waiting for the job to run"
                    + " again: job is RESTARTING, 0 of 8 tasks running, 8 scheduled"));
    flink.running();

    assertThat(type(look(stop))).isEqualTo(FailureType.SAVEPOINT_FAILED);
  }

  @Test
  void afterThreeFailedSavepointsAPersonIsAsked() {
    flink.running().savepointFailed(FIRST).savepointFailed(SECOND).savepointFailed(THIRD);

    ProbeResult<TakenState> seen = look(attempt(9));

    assertThat(seen)
        .isInstanceOfSatisfying(
            ProbeResult.Failed.class,
            failed -> {
              assertThat(failed.type()).isEqualTo(FailureType.SAVEPOINT_FAILED);
              assertThat(failed.retryable()).isFalse();
            });
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void aTriggerThatFlinkRefusesIsNotSentAgain() {
    flink.running().refuse(new FlinkRestException.Rejected(400, "no savepoint directory"));

    assertThat(look(attempt(1)))
        .isInstanceOfSatisfying(
            ProbeResult.Failed.class,
            failed -> {
              assertThat(failed.message()).contains("no savepoint directory");
              assertThat(failed.retryable()).isFalse();
            });
  }

  @Test
  void aBatchJobIsNotWaitedFor() {
    flink.type(JobType.BATCH).job(JOB, FlinkJobState.RUNNING, FakeFlink.tasks(1, 0, 3));

    assertThat(look(attempt(1)))
        .isEqualTo(
            ProbeResult.failed(
                FailureType.SAVEPOINT_FAILED,
                "Savepoint 1 of job "
                    + JOB
                    + " failed, the job runs on: Flink takes no savepoints of batch jobs"));
  }

  @Test
  void aJobThatRestartsIsLeftAloneUntilAllItsTasksAreUp() {
    flink.job(FlinkJobState.RESTARTING, 3);
    SavepointStop stop = attempt(1);

    assertThat(look(stop))
        .isEqualTo(
            ProbeResult.notYet(
                "a savepoint is possible once all tasks are up: job is RESTARTING, 3 of 8 tasks"
                    + " running, 5 scheduled"));
    assertThat(flink.effects).isEmpty();
    flink.running();

    assertThat(look(stop)).isEqualTo(ProbeResult.notYet("the savepoint was triggered"));
  }

  @Test
  void aSilentJobManagerMeansUnknownAndNothingIsDone() {
    flink.running().up(false);
    SavepointStop stop = attempt(1);

    assertThatThrownBy(() -> look(stop)).isInstanceOf(FlinkRestException.class);
    flink.up(true);

    assertThat(look(stop)).isEqualTo(ProbeResult.notYet("the savepoint was triggered"));
  }

  @Test
  void ofAFinishedJobTheSavepointIsFoundInItsStatisticsOnceTheyAreFinal() {
    flink.job(FlinkJobState.FINISHED, 0);
    flink.checkpoints(Stats.none().checkpoint(7, "file:/c/chk-7").build());
    SavepointStop stop = attempt(1);

    assertThat(look(stop))
        .isEqualTo(ProbeResult.notYet("the job is FINISHED, its statistics are not final yet"));
    flink.checkpoints(
        Stats.none().discardedCheckpoint(7, "file:/c/chk-7").stopped(8, PATH).build());
    clock.advance(Duration.ofSeconds(4));

    assertThat(state(look(stop))).isEqualTo(new StateRef.Savepoint(PATH));
  }

  /** FLINK-33522: the savepoint was completed before the job failed on its way to the end. */
  @Test
  void ofAJobThatFailedWhileItStoppedTheSavepointIsFoundInItsStatistics() {
    flink.job(FlinkJobState.FAILED, 0).savepointFailed(FIRST);
    flink.checkpoints(Stats.none().checkpoint(7, "file:/c/chk-7").stopped(8, PATH).build());
    SavepointStop stop = attempt(1);
    look(stop);
    clock.advance(Duration.ofSeconds(4));

    assertThat(state(look(stop))).isEqualTo(new StateRef.Savepoint(PATH));
  }

  @Test
  void aJobThatFinishedByItselfHasNoState() {
    flink.job(FlinkJobState.FINISHED, 0).checkpoints(Stats.none().savepoint(4, "/s/4").build());
    SavepointStop stop = attempt(1);
    look(stop);
    clock.advance(Duration.ofSeconds(4));

    assertThat(state(look(stop))).isInstanceOf(StateRef.Empty.class);
  }

  @Test
  void aJobThatIsNotListedYetIsNotTakenForLost() {
    flink.noJob();
    SavepointStop stop = attempt(1);
    look(stop);
    clock.advance(Duration.ofSeconds(10));
    look(stop);
    flink.running();

    assertThat(look(stop)).isEqualTo(ProbeResult.notYet("the savepoint was triggered"));
  }

  @Test
  void aStateThatCannotBeFoundSaysWhereToLookAndWhatToDo() {
    flink.noJob();
    SavepointStop stop = attempt(1);
    look(stop);
    clock.advance(Duration.ofSeconds(21));

    assertThat(look(stop))
        .isInstanceOfSatisfying(
            ProbeResult.Failed.class,
            failed -> {
              assertThat(failed.type()).isEqualTo(FailureType.STATE_NOT_FOUND);
              assertThat(failed.retryable()).isFalse();
              assertThat(failed.message())
                  .contains(
                      "file:/savepoints",
                      "savepoint-ab12cd-*",
                      "sluice.dev/restore-from: <its path>",
                      "sluice.dev/retry");
            });
  }
}
