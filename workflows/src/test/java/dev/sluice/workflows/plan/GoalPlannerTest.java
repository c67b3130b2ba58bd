package dev.sluice.workflows.plan;

import static dev.sluice.workflows.plan.DecisionWords.words;
import static dev.sluice.workflows.plan.Seen.NEW;
import static dev.sluice.workflows.plan.Seen.OLD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.PendingStop;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.plan.GoalPlanner.Tried;
import dev.sluice.workflows.plan.GoalPlanner.Wanted;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which spec a run has to reach, and how, also after an attempt that was in vain. */
class GoalPlannerTest {

  private static final String STOP = "stop old -> suspended";
  private static final StateRef OLDER = new StateRef.Checkpoint("s3://old/chk-3");
  private static final StateRef EMPTY = new StateRef.Empty("finished by itself");
  private static final StateRef LEFT = new StateRef.Checkpoint("s3://old/chk-9");

  private static String plan(boolean onSessionCluster, Seen seen, Tried tried) {
    Observation observation = seen.build();
    return words(
        new GoalPlanner(onSessionCluster).plan(Wanted.NEWEST, observation, tried).decision());
  }

  /** It was cancelled, and its newest checkpoint was not found: what is left now is older. */
  private static Seen cancelled() {
    return Seen.stable().ended(OLD, FlinkJobState.CANCELED).newest(OLDER);
  }

  static Stream<Arguments> afterACancellationInVain() {
    return Stream.of(
        Arguments.of("an older state is not taken", cancelled(), false, "parked StateNotFound"),
        Arguments.of("nor by a retry", cancelled(), true, "parked StateNotFound"),
        Arguments.of(
            "nor by a retry with a blank choice",
            cancelled().restoreFrom(" "),
            true,
            "parked StateNotFound"),
        Arguments.of(
            "nor for a newer spec", cancelled().generation(9), false, "parked StateNotFound"),
        Arguments.of(
            "a choice counts with a retry",
            cancelled().restoreFrom("s3://mine"),
            true,
            "none -> s3://mine"),
        Arguments.of(
            "a choice does not count without one",
            cancelled().restoreFrom("s3://mine"),
            false,
            "parked StateNotFound"),
        Arguments.of(
            "its metadata is the newest",
            Seen.stable().mode(UpgradeMode.LAST_STATE).highlyAvailable().unreachable(),
            true,
            "keep metadata of old -> metadata"),
        Arguments.of("it is up again", Seen.stable(), false, STOP),
        Arguments.of(
            "it is there, and not up",
            Seen.stable().state(OLD, FlinkJobState.RESTARTING),
            false,
            "parked StateNotFound"),
        Arguments.of(
            "its state is not wanted",
            cancelled().mode(UpgradeMode.STATELESS),
            false,
            "none -> empty"),
        Arguments.of(
            "another state is named",
            cancelled().redeploying("s3://other"),
            false,
            "none -> s3://other"),
        Arguments.of("another job is there", Seen.started().up(NEW), false, "await up"),
        Arguments.of(
            "what is recorded was found before", Seen.recorded(), false, "none -> s3://sp-6"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void afterACancellationInVain(String name, Seen seen, boolean retry, String expected) {
    assertThat(plan(false, seen, new Tried(true, retry, null, OLD))).isEqualTo(expected);
  }

  @Test
  void afterAStopInVain_aRetryTakesWhatIsChosen_orStopsTheJobAnew() {
    Tried inVain = new Tried(true, true, FailureType.STATE_NOT_FOUND, null);

    assertThat(plan(false, Seen.stable(), inVain)).isEqualTo(STOP);
    assertThat(plan(false, Seen.stable().restoreFrom("s3://mine"), inVain))
        .isEqualTo("discard old -> s3://mine");
  }

  /** The job leaves a session cluster, and its spec has not changed; that is frozen. */
  private static Seen leaving() {
    return Seen.begun().frozenAt(6).generation(6).sameAsFrozenAndStable();
  }

  private static Seen stopping(Seen seen) {
    seen.pendingStop = new PendingStop(OLD, null, null);
    return seen;
  }

  static Stream<Arguments> leavingJobs() {
    return Stream.of(
        Arguments.of("it runs", leaving().clusterGoes(), STOP),
        Arguments.of("it has failed", ended(FlinkJobState.FAILED, LEFT), "Reverted"),
        Arguments.of("it was cancelled", ended(FlinkJobState.CANCELED, LEFT), "Reverted"),
        Arguments.of("it has finished", ended(FlinkJobState.FINISHED, EMPTY), "Reverted"),
        Arguments.of(
            "it was perhaps cancelled for that",
            stopping(ended(FlinkJobState.CANCELED, LEFT)),
            "none -> s3://old/chk-9"),
        Arguments.of(
            "it was perhaps stopped for that",
            stopping(ended(FlinkJobState.FINISHED, new StateRef.Savepoint("s3://sp"))),
            "none -> s3://sp"),
        Arguments.of(
            "it has finished before it was stopped",
            stopping(ended(FlinkJobState.FINISHED, EMPTY)),
            "Reverted"));
  }

  private static Seen ended(FlinkJobState state, @Nullable StateRef left) {
    return leaving().ended(OLD, state).newest(left);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("leavingJobs")
  void aJobThatEndsByItselfWhileItLeavesItsSessionClusterIsNotRunAgain(
      String name, Seen seen, String expected) {
    assertThat(plan(true, seen, new Tried(true, false, null, null))).isEqualTo(expected);
  }

  static Stream<Arguments> whatIsSeenOfARunThatIsHeld() {
    Seen restarting = Seen.stable().state(Seen.OLD, FlinkJobState.RESTARTING);
    return Stream.of(
        Arguments.of("nothing", Seen.stable(), Seen.stable(), false),
        Arguments.of("all tasks came up", restarting, Seen.stable(), true),
        Arguments.of(
            "its newest checkpoint is known now",
            Seen.stable()
                .state(Seen.OLD, FlinkJobState.RESTARTING)
                .newest(new StateRef.Unknown("Flink does not tell")),
            restarting,
            true),
        Arguments.of(
            "a checkpoint nobody waits for",
            Seen.stable().ages(60, 5, 0),
            Seen.stable().ages(60, 1, 0),
            false),
        Arguments.of("a checkpoint that is waited for", old(20), old(1), true),
        Arguments.of("its cluster is gone", Seen.stable(), Seen.stable().noCluster(), true),
        Arguments.of(
            "the silent JobManager is gone",
            Seen.stable().unreachable(),
            Seen.stable().unreachable().noCluster(),
            true),
        Arguments.of(
            "a job that is not up runs and restarts",
            Seen.stable().state(Seen.OLD, FlinkJobState.RUNNING).newest(OLDER),
            Seen.stable().state(Seen.OLD, FlinkJobState.RESTARTING).newest(OLDER),
            false),
        Arguments.of("a job of nobody ended", session("a"), session(), true),
        Arguments.of("jobs in another order", session("a", "b"), session("b", "a"), false));
  }

  private static Seen old(int minutes) {
    return Seen.stable()
        .mode(UpgradeMode.LAST_STATE)
        .maxCheckpointAge(10)
        .noSavepointDirectory()
        .newest(new StateRef.Checkpoint("s3://x/" + Seen.OLD + "/chk-9"))
        .ages(60, minutes, 0);
  }

  private static Seen session(String... jobs) {
    return Seen.stable().absent(Seen.OLD).session().otherJobs(jobs);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("whatIsSeenOfARunThatIsHeld")
  void aRunThatIsHeldGoesOnWhenAnotherPlanIsMade(
      String name, Seen before, Seen now, boolean goesOn) {
    assertThat(essence(now).equals(essence(before))).isEqualTo(!goesOn);
  }

  private static Object essence(Seen seen) {
    return seen.decide(true, false).essence(seen.build());
  }
}
