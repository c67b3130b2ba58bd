package dev.sluice.workflows.plan;

import static dev.sluice.workflows.plan.DecisionWords.words;
import static dev.sluice.workflows.plan.Seen.OLD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.model.JobObservation.Retention;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.plan.Decision.Hold;
import dev.sluice.workflows.plan.Decision.Proceed;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules of {@code upgradeMode: last-state}, for a job whose JobManager answers. */
class LastStatePlannerTest {

  private static final StateRef NONE = new StateRef.Empty("no checkpoint");
  private static final StateRef UNKNOWN = new StateRef.Unknown("Flink does not tell");
  private static final StateRef RESTORED = new StateRef.Savepoint("s3://restored");

  private static Seen lastState() {
    return Seen.stable().mode(UpgradeMode.LAST_STATE);
  }

  private static Arguments row(String name, Seen seen, String expected) {
    return Arguments.of(name, seen, expected);
  }

  static Stream<Arguments> rules() {
    return Stream.of(
        row("a checkpoint that stays", lastState(), "cancel old -> suspended"),
        row(
            "a checkpoint that stays, no savepoint directory",
            lastState().noSavepointDirectory(),
            "cancel old -> suspended"),
        row(
            "no checkpoint since it was restored from a savepoint of long ago",
            lastState().newest(RESTORED),
            "stop old -> suspended"),
        row(
            "no checkpoint since it was restored from the checkpoint of another job",
            lastState().newest(new StateRef.Checkpoint("s3://older/chk-3")),
            "stop old -> suspended"),
        row(
            "a savepoint that somebody took is newer than its checkpoints",
            lastState().newest(new StateRef.Savepoint("s3://manual/old/savepoint-1")),
            "stop old -> suspended"),
        row(
            "no checkpoint since it was restored, no savepoint directory",
            lastState().newest(RESTORED).noSavepointDirectory(),
            "blocked StateNotFound"),
        row(
            "the spec that runs is not known",
            lastState().deployedUnknown(),
            "stop old -> suspended"),
        row(
            "checkpoints deleted with it",
            lastState().retention(Retention.DELETED),
            "stop old -> suspended"),
        row(
            "checkpoints perhaps deleted with it",
            lastState().retention(Retention.UNKNOWN),
            "stop old -> suspended"),
        row("no checkpoint yet", lastState().newest(NONE), "stop old -> suspended"),
        row("checkpoint not known", lastState().newest(UNKNOWN), "stop old -> suspended"),
        row(
            "no checkpoint yet, no savepoint directory",
            lastState().newest(NONE).noSavepointDirectory(),
            "blocked StateNotFound"),
        row(
            "checkpoints deleted with it, no savepoint directory",
            lastState().retention(Retention.DELETED).noSavepointDirectory(),
            "blocked StateNotFound"),
        row(
            "another Flink version",
            lastState().version(FlinkVersion.V2_1),
            "stop old -> suspended"),
        row(
            "another Flink version, no savepoint directory (as Apache's operator)",
            lastState().version(FlinkVersion.V2_1).noSavepointDirectory(),
            "cancel old -> suspended"),
        row(
            "restarting all the time",
            lastState().state(OLD, FlinkJobState.RESTARTING),
            "cancel old -> suspended"),
        row(
            "failed",
            lastState()
                .ended(OLD, FlinkJobState.FAILED)
                .newest(new StateRef.Checkpoint("s3://old/chk-9")),
            "none -> s3://old/chk-9"),
        row("JobManager away", lastState().unreachable(), "blocked StateNotFound"));
  }

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource("rules")
  void plansAfterPatience(String name, Seen seen, String expected) {
    assertThat(words(seen.decide(true, false))).isEqualTo(expected);
  }

  static Stream<Arguments> ages() {
    Seen old = lastState().maxCheckpointAge(10);
    return Stream.of(
        row("no age is set", lastState().ages(90, 60, 0), "cancel old -> suspended"),
        row(
            "the job is younger",
            lastState().maxCheckpointAge(10).ages(5, 0, 0),
            "cancel old -> suspended"),
        row(
            "the checkpoint is younger",
            lastState().maxCheckpointAge(10).ages(90, 9, 0),
            "cancel old -> suspended"),
        row("the checkpoint is older", old.ages(90, 11, 0), "stop old -> suspended"),
        row(
            "another one is in progress",
            lastState().maxCheckpointAge(10).ages(90, 11, 2),
            "blocked Blocked"),
        row(
            "another one has been for longer",
            lastState().maxCheckpointAge(10).ages(90, 30, 11),
            "stop old -> suspended"),
        row(
            "the checkpoint is older, no savepoint directory",
            lastState().maxCheckpointAge(10).ages(90, 11, 0).noSavepointDirectory(),
            "blocked StateNotFound"),
        row(
            "a savepoint is not asked for its age",
            lastState().mode(UpgradeMode.SAVEPOINT).maxCheckpointAge(10).ages(90, 11, 0),
            "stop old -> suspended"));
  }

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource("ages")
  void anOldCheckpointIsNotTaken(String name, Seen seen, String expected) {
    assertThat(words(seen.decide(true, false))).isEqualTo(expected);
  }

  @Test
  void aPlanSaysWhyASavepointIsTakenAllTheSame() {
    Seen seen = lastState().version(FlinkVersion.V2_1);

    Decision decision = seen.decide(false, false);

    assertThat(((Proceed) decision).plan().why()).contains("savepoint", "flinkVersion");
  }

  @Test
  void aPlanDoesNotClaimAChangeOfVersionWhenItIsNotKnownWhatRuns() {
    Seen seen = lastState().deployedUnknown();

    Decision decision = seen.decide(false, false);

    assertThat(decision.why()).contains("it is not known which flinkVersion runs");
  }

  @Test
  void oneThatWaitsForItsFirstCheckpointSaysWhatIsMissing() {
    Seen seen = lastState().newest(NONE).noSavepointDirectory();

    Hold hold = (Hold) seen.decide(false, false);

    assertThat(hold.why()).contains("not a checkpoint of its own", "no directory for savepoints");
    assertThat(hold.offersRestoreFrom()).isTrue();
  }
}
