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
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

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

  private static Arguments first(
      String what, int attempt, Consumer<FakeFlink> world, String outcome, String effect) {
    return Arguments.of(what, attempt, world, outcome, effect);
  }

  static Stream<Arguments> firstLooks() {
    SavepointOperation inProgress = new SavepointOperation.InProgress();
    FlinkJobState running = FlinkJobState.RUNNING;
    String triggered = "not yet: the savepoint was triggered";
    String taking = "not yet: the savepoint is being taken";
    String failed = FailureType.SAVEPOINT_FAILED + ": Savepoint ";
    return Stream.of(
        first(
            "a task has finished",
            1,
            it -> it.job(JOB, running, FakeFlink.tasks(3, 1, 0)),
            triggered,
            FIRST),
        // W4: whoever looks again finds the savepoint by its trigger id, and takes no second one
        first("taken over", 2, it -> it.savepoint(FIRST, inProgress), taking, ""),
        first("the first is forgotten", 2, it -> it.savepoint(SECOND, inProgress), taking, ""),
        first("it may be on its way", 3, it -> {}, triggered, FIRST),
        first(
            "done while nobody looked",
            1,
            it ->
                it.job(FlinkJobState.FINISHED, 0)
                    .savepoint(FIRST, new SavepointOperation.Completed(PATH)),
            PATH,
            ""),
        first("failed", 1, it -> it.savepointFailed(FIRST), "again " + failed + "1 of job", ""),
        first("failed before", 2, it -> it.savepointFailed(FIRST), triggered, SECOND),
        first(
            "failed three times",
            9,
            it -> it.savepointFailed(FIRST).savepointFailed(SECOND).savepointFailed(THIRD),
            failed + "3 of job",
            ""),
        first(
            "refused",
            1,
            it -> it.refuse(new FlinkRestException.Rejected("no directory")),
            failed + "1 of job " + JOB + " failed, the job runs on: no directory",
            FIRST),
        first(
            "a batch job",
            1,
            it -> it.type(JobType.BATCH).job(JOB, running, FakeFlink.tasks(1, 0, 3)),
            failed + "1 of job " + JOB + " failed, the job runs on: Flink takes no savepoints of",
            ""),
        first(
            "a job that restarts",
            1,
            it -> it.job(FlinkJobState.RESTARTING, 3),
            "not yet: a savepoint is possible once all tasks are up: job is RESTARTING, 3 of 8",
            ""));
  }

  @ParameterizedTest(name = "{0}, attempt {1}: {3}")
  @MethodSource("firstLooks")
  void whatIsDoneDependsOnTheJobAndOnTheTriggersBefore(
      String what, int attempt, Consumer<FakeFlink> world, String outcome, String trigger) {
    world.accept(flink.running());

    assertThat(text(look(attempt(attempt)))).startsWith(outcome);
    assertThat(String.join(" ", flink.effects))
        .startsWith(trigger.isEmpty() ? "" : "stop " + trigger);
    assertThat(flink.effects).hasSize(trigger.isEmpty() ? 0 : 1);
  }

  private static String text(ProbeResult<TakenState> seen) {
    if (seen instanceof ProbeResult.Failed<TakenState> failed) {
      return (failed.retryable() ? "again " : "") + failed.type() + ": " + failed.message();
    }
    return seen instanceof ProbeResult.NotYet<TakenState> notYet
        ? "not yet: " + notYet.progress()
        : String.valueOf(state(seen).pathOrNull());
  }

  static Stream<Arguments> ends() {
    Stats seven = Stats.none().checkpoint(7, "file:/c/chk-7");
    return Stream.of(
        Arguments.of(
            FlinkJobState.FINISHED,
            Stats.none().discardedCheckpoint(7, "file:/c/chk-7").stopped(8, PATH),
            PATH),
        // FLINK-33522: the savepoint was completed before the job failed on its way to the end
        Arguments.of(FlinkJobState.FAILED, seven.stopped(8, PATH), PATH),
        // by itself
        Arguments.of(FlinkJobState.FINISHED, Stats.none().savepoint(4, "/s/4"), "null"));
  }

  @ParameterizedTest
  @MethodSource("ends")
  void ofAJobThatHasEndedTheSavepointIsInItsStatisticsOnceTheyAreFinal(
      FlinkJobState state, Stats left, String outcome) {
    flink.job(state, 0).savepointFailed(FIRST);
    flink.checkpoints(Stats.none().checkpoint(7, "file:/c/chk-7").build());
    SavepointStop stop = attempt(1);
    assertThat(text(look(stop))).endsWith(", its statistics are not final yet");

    flink.checkpoints(left.build());
    clock.advance(Duration.ofSeconds(4));

    assertThat(text(look(stop))).isEqualTo(outcome);
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
