package dev.sluice.activities.job;

import static dev.sluice.activities.support.FakeFlink.JOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JobState;
import dev.sluice.activities.flink.SavepointOperation;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.Stats;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.workflows.job.StateTaken;
import dev.sluice.workflows.job.StopRequest;
import dev.sluice.workflows.operation.FailureType;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SavepointStopTest {

  private static final String FIRST = "00000000000000000000000000000001";
  private static final String SECOND = TriggerIds.of(FIRST, 2);
  private static final String THIRD = TriggerIds.of(FIRST, 3);
  private static final String PATH = "file:/savepoints/savepoint-ab12cd-77";

  private final TestClock clock = new TestClock();
  private final FakeFlink flink = new FakeFlink();
  private Optional<String> inDirectory = Optional.empty();

  private final JobTarget target =
      new JobTarget(
          Endpoint.of("default", "orders"),
          JOB,
          FlinkConfiguration.of(Map.of("state.savepoints.dir", "file:/savepoints")),
          FlinkConfiguration.empty(),
          Duration.ofSeconds(3));

  @Test
  void triggersWithTheIdOfTheRequestAndAnswersWhereTheSavepointIs() {
    flink.running();
    SavepointStop stop = attempt(1);

    assertThat(look(stop)).isEqualTo(ProbeResult.notYet("the savepoint was triggered"));
    assertThat(look(stop)).isEqualTo(ProbeResult.notYet("the savepoint is being taken"));
    flink.savepoint(FIRST, new SavepointOperation.Completed(PATH));

    assertThat(look(stop)).isEqualTo(ProbeResult.done(new StateTaken(PATH, "savepoint taken")));
    // no directory: the running cluster has one, and knows what it means inside its pods
    assertThat(flink.effects).containsExactly("stop " + FIRST + " to null CANONICAL");
  }

  @Test
  void takesOverWhatAnEarlierAttemptTriggered() {
    flink.running().savepoint(FIRST, new SavepointOperation.InProgress());

    ProbeResult<StateTaken> seen = look(attempt(2));

    assertThat(seen).isEqualTo(ProbeResult.notYet("the savepoint is being taken"));
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void answersASavepointThatWasDoneWhileNobodyLooked() {
    flink.job(JobState.FINISHED, 0).savepoint(FIRST, new SavepointOperation.Completed(PATH));

    assertThat(path(look(attempt(1)))).isEqualTo(PATH);
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void aFailedSavepointIsTriedAgainByTheNextAttemptUnderAnotherId() {
    flink.running().savepointFailed(FIRST);

    ProbeResult<StateTaken> first = look(attempt(1));
    ProbeResult<StateTaken> second = look(attempt(2));

    assertThat(first)
        .isEqualTo(
            ProbeResult.retry(
                FailureType.SAVEPOINT_FAILED,
                "savepoint 1 of job "
                    + JOB
                    + " failed, the job runs on: IOException: disk is"
                    + " full"));
    assertThat(second).isInstanceOf(ProbeResult.NotYet.class);
    assertThat(flink.effects).singleElement().asString().startsWith("stop " + SECOND);
  }

  @Test
  void afterThreeFailedSavepointsAPersonIsAsked() {
    flink.running().savepointFailed(FIRST).savepointFailed(SECOND).savepointFailed(THIRD);

    ProbeResult<StateTaken> seen = look(attempt(9));

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
  void aTriggerThatFlinkRefusesIsAFailedSavepoint() {
    flink.running().refuse(new FlinkRestException.Rejected(400, "no savepoint directory"));

    assertThat(look(attempt(1)))
        .isInstanceOfSatisfying(
            ProbeResult.Failed.class,
            failed -> assertThat(failed.message()).contains("no savepoint directory"));
  }

  @Test
  void aJobThatRestartsIsLeftAloneUntilAllItsTasksRun() {
    flink.job(JobState.RESTARTING, 3);
    SavepointStop stop = attempt(1);

    assertThat(look(stop))
        .isEqualTo(
            ProbeResult.notYet(
                "a savepoint is possible once all tasks run: job is RESTARTING, 3 of 8 tasks"
                    + " running"));
    assertThat(flink.effects).isEmpty();
    flink.running();

    assertThat(look(stop)).isEqualTo(ProbeResult.notYet("the savepoint was triggered"));
  }

  @Test
  void aSilentJobManagerMeansUnknownAndNothingIsDone() {
    flink.running().up(false);
    SavepointStop stop = attempt(1);

    assertThatThrownBy(() -> look(stop)).hasRootCauseInstanceOf(FlinkRestException.class);
    flink.up(true);

    assertThat(look(stop)).isEqualTo(ProbeResult.notYet("the savepoint was triggered"));
  }

  @Test
  void aJobManagerThatForgotTheTriggerAndRunsTheJobAgainIsAskedOnceMore() {
    flink.running();
    SavepointStop stop = attempt(1);
    look(stop);
    flink.restarted();

    look(stop);

    assertThat(flink.effects).hasSize(2).allMatch(effect -> effect.contains(FIRST));
  }

  @Test
  void ofAFinishedJobTheSavepointIsFoundInItsStatisticsOnceTheyAreFinal() {
    flink.job(JobState.FINISHED, 0);
    flink.checkpoints(Stats.none().checkpoint(7, "file:/c/chk-7").build());
    SavepointStop stop = attempt(1);

    assertThat(look(stop))
        .isEqualTo(ProbeResult.notYet("the job is FINISHED, its statistics are not final yet"));
    flink.checkpoints(
        Stats.none().discardedCheckpoint(7, "file:/c/chk-7").savepoint(8, PATH).build());
    clock.advance(Duration.ofSeconds(4));

    assertThat(path(look(stop))).isEqualTo(PATH);
  }

  @Test
  void aJobThatIsNotListedYetIsNotTakenForLost() {
    inDirectory = Optional.of("file:/savepoints/savepoint-ab12cd-old");
    flink.noJob();
    SavepointStop stop = attempt(1);
    look(stop);
    clock.advance(Duration.ofSeconds(10));
    look(stop);
    flink.running();

    assertThat(look(stop)).isEqualTo(ProbeResult.notYet("the savepoint was triggered"));
  }

  @Test
  void ofAJobThatTheJobManagerHasLostTheSavepointIsFoundInTheDirectory() {
    inDirectory = Optional.of(PATH);
    flink.noJob();
    SavepointStop stop = attempt(1);
    look(stop);
    clock.advance(Duration.ofSeconds(21));

    assertThat(look(stop))
        .isEqualTo(ProbeResult.done(new StateTaken(PATH, "found in the savepoint directory")));
  }

  @Test
  void aStateThatCannotBeFoundSaysWhereToLook() {
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
                  .contains("file:/savepoints", "savepoint-ab12cd-*", "retry");
            });
  }

  @Test
  void itEndsAtTheDeadlineWithWhatItSawLast() {
    flink.job(JobState.RESTARTING, 3);
    SavepointStop stop = attempt(1);
    look(stop);
    clock.advance(Duration.ofMinutes(11));

    assertThat(look(stop))
        .isInstanceOfSatisfying(
            ProbeResult.Failed.class,
            failed -> {
              assertThat(failed.type()).isEqualTo(FailureType.TIMED_OUT);
              assertThat(failed.message()).contains("RESTARTING, 3 of 8 tasks running");
            });
  }

  private SavepointStop attempt(int number) {
    return new SavepointStop(
        new StopRequest(Refs.ORDERS, JOB, FIRST, clock.in(Duration.ofMinutes(10))),
        target,
        number,
        flink,
        new EndedJob(
            flink, (directory, job) -> inDirectory, Runnable::run, clock, target.statisticsAge()),
        clock);
  }

  private static ProbeResult<StateTaken> look(SavepointStop stop) {
    return stop.look().join();
  }

  private static String path(ProbeResult<StateTaken> outcome) {
    assertThat(outcome).isInstanceOf(ProbeResult.Done.class);
    return ((ProbeResult.Done<StateTaken>) outcome).result().path();
  }
}
