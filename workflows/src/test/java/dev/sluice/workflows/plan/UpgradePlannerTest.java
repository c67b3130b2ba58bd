package dev.sluice.workflows.plan;

import static dev.sluice.workflows.plan.DecisionWords.words;
import static dev.sluice.workflows.plan.Seen.NEW;
import static dev.sluice.workflows.plan.Seen.OLD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.JobObservation.Retention;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.plan.Decision.Hold;
import dev.sluice.workflows.plan.Decision.Proceed;
import dev.sluice.workflows.plan.Decision.Reverted;
import dev.sluice.workflows.plan.Decision.Settle;
import dev.sluice.workflows.plan.Decision.UpToDate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class UpgradePlannerTest {

  private static final String RECORDED = "s3://sp-6";

  private static Arguments row(String name, Seen seen, String expected) {
    return Arguments.of(name, seen, expected);
  }

  /** After patience, and without a person who asked to begin again. */
  static Stream<Arguments> forward() {
    return Stream.of(
        row("every task runs", Seen.stable(), "stop old -> suspended"),
        row(
            "item 1: a finished task beside running ones is up",
            Seen.stable().tasks(OLD, 3, 1, 4),
            "stop old -> suspended"),
        row("never deployed", Seen.fresh(), "none -> empty"),
        row(
            "never deployed, initial savepoint",
            Seen.fresh().initial("s3://first"),
            "none -> s3://first"),
        row(
            "never deployed, stateless, initial savepoint",
            Seen.fresh().mode(UpgradeMode.STATELESS).initial("s3://first"),
            "none -> s3://first"),
        row("stateless", Seen.stable().mode(UpgradeMode.STATELESS), "discard old -> empty"),
        row(
            "stateless, initial savepoint of long ago",
            Seen.stable().mode(UpgradeMode.STATELESS).initial("s3://first"),
            "discard old -> empty"),
        row(
            "stateless, the job has failed",
            Seen.stable().mode(UpgradeMode.STATELESS).ended(OLD, FlinkJobState.FAILED),
            "none -> empty"),
        row(
            "restarting, with a checkpoint that stays",
            Seen.stable().state(OLD, FlinkJobState.RESTARTING),
            "cancel old -> suspended"),
        row(
            "item 4: restarting, Flink would delete its checkpoint",
            Seen.stable().state(OLD, FlinkJobState.RESTARTING).retention(Retention.DELETED),
            "blocked StateNotFound"),
        row(
            "item 4: restarting, retention not told",
            Seen.stable().state(OLD, FlinkJobState.RESTARTING).retention(Retention.UNKNOWN),
            "blocked StateNotFound"),
        row(
            "item 4: restarting, newest checkpoint deleted by Flink",
            Seen.stable()
                .state(OLD, FlinkJobState.RESTARTING)
                .newest(new StateRef.Unknown("checkpoint 9 was discarded")),
            "blocked StateNotFound"),
        row(
            "restarting, nothing completed since it was restored",
            Seen.stable()
                .state(OLD, FlinkJobState.RESTARTING)
                .newest(new StateRef.Savepoint("s3://before"), false),
            "discard unprogressed old -> s3://before"),
        row(
            "restarting without any checkpoint",
            Seen.stable()
                .state(OLD, FlinkJobState.RESTARTING)
                .newest(new StateRef.Empty("none"), false),
            "blocked StateNotFound"),
        row("only some tasks run", Seen.stable().tasks(OLD, 1, 0, 2), "cancel old -> suspended"),
        row(
            "failed with a checkpoint",
            Seen.stable()
                .ended(OLD, FlinkJobState.FAILED)
                .newest(new StateRef.Checkpoint("s3://chk-7")),
            "none -> s3://chk-7"),
        row(
            "failed without a checkpoint",
            Seen.stable().ended(OLD, FlinkJobState.FAILED),
            "parked StateNotFound"),
        row(
            "item 4: failed, newest checkpoint deleted by Flink",
            Seen.stable()
                .ended(OLD, FlinkJobState.FAILED)
                .newest(new StateRef.Unknown("checkpoint 9 was discarded")),
            "parked StateNotFound"),
        row(
            "finished by itself: run again from the beginning",
            Seen.stable().ended(OLD, FlinkJobState.FINISHED),
            "none -> empty"),
        row(
            "stopped with a savepoint by somebody",
            Seen.stable()
                .ended(OLD, FlinkJobState.FINISHED)
                .newest(new StateRef.Savepoint("s3://by-hand")),
            "none -> s3://by-hand"),
        row(
            "stopped with a savepoint whose path is not told",
            Seen.stable()
                .ended(OLD, FlinkJobState.FINISHED)
                .newest(new StateRef.Unknown("its statistics are gone")),
            "stop old -> suspended"),
        row(
            "waits for slots, and its checkpoint is told",
            Seen.stable().waiting(OLD).newest(new StateRef.Checkpoint("s3://chk-7")),
            "cancel old -> suspended"),
        row(
            "the JobManager was restarted after the job had ended",
            Seen.stable().absent(OLD),
            "stop old -> suspended"),
        row("the JobManager stays away", Seen.stable().unreachable(), "blocked StateNotFound"),
        row("the Deployment was deleted", Seen.stable().noCluster(), "parked StateNotFound"),
        row("item 5: another job", Seen.stable().otherJobs("other"), "parked OtherJobs"),
        row("begun, the old job runs", Seen.begun(), "stop old -> suspended"),
        row(
            "begun, stopped, lost before the state was recorded",
            Seen.begun()
                .ended(OLD, FlinkJobState.FINISHED)
                .newest(new StateRef.Savepoint("s3://sp-6")),
            "none -> s3://sp-6"),
        row(
            "begun, stopped, JobManager restarted",
            Seen.begun().absent(OLD),
            "stop old -> suspended"),
        row("recorded, old cluster gone", Seen.recorded(), "none -> " + RECORDED),
        row(
            "recorded, a job without high availability came back",
            Seen.recorded().with(OLD).up(OLD),
            "discard old -> " + RECORDED),
        row(
            "recorded, the old JobManager does not answer any more",
            Seen.recorded().with(OLD).unreachable(),
            "none -> " + RECORDED),
        row("started and up", Seen.started().up(NEW), "await up"),
        row("started, not up yet", Seen.started().tasks(NEW, 1, 0, 2), "await"),
        row("started, JobManager does not answer yet", Seen.started().unreachable(), "await"),
        row("started, not submitted yet", Seen.started().absent(NEW), "await"),
        row(
            "started, finished its work",
            Seen.started().ended(NEW, FlinkJobState.FINISHED),
            "await up"),
        row("started, failed", Seen.started().ended(NEW, FlinkJobState.FAILED), "parked JobFailed"),
        row(
            "item 3: started, Deployment deleted, may have progressed",
            Seen.recorded().prepared(NEW),
            "parked StateNotFound"),
        row(
            "started, Deployment deleted, no checkpoint in its metadata",
            Seen.recorded().prepared(NEW).ha(HighAvailability.NO_CHECKPOINT),
            "none -> " + RECORDED),
        row(
            "started, Deployment deleted, no metadata proves nothing",
            Seen.recorded().prepared(NEW).ha(HighAvailability.NO_METADATA),
            "parked StateNotFound"),
        row(
            "started, Deployment deleted, the spec insists on a savepoint",
            Seen.recorded().prepared(NEW).noFallback(),
            "parked StateNotFound"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("forward")
  void plansAfterPatience(String name, Seen seen, String expected) {
    assertThat(words(seen.decide(true, false))).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource(
      value = FlinkJobState.class,
      names = {"RESTARTING", "CREATED", "INITIALIZING", "FAILING", "CANCELLING", "RECONCILING"})
  void looksAgainWithPatienceWhileTheJobSettles(FlinkJobState state) {
    Seen seen = Seen.stable().state(OLD, state);

    assertThat(seen.decide(false, false)).isInstanceOf(Settle.class);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void looksAgainWithPatienceWhileTheJobManagerIsAway(boolean begun) {
    Seen seen =
        begun
            ? Seen.started().sameAsFrozen(false).generation(8).unreachable()
            : Seen.stable().unreachable();

    assertThat(seen.decide(false, false)).isInstanceOf(Settle.class);
  }

  @Test
  void needsNoPatienceWhereTheRecordedStateIsProved() {
    Seen seen = Seen.recorded();

    assertThat(seen.decide(false, false)).isInstanceOf(Proceed.class);
  }

  @Test
  void doesNothingWhenTheNewestSpecIsDeployed() {
    Seen seen = Seen.stable().sameAsFrozen(true);

    assertThat(seen.decide(false, false)).isInstanceOf(UpToDate.class);
  }

  @Test
  void aDeployedSpecWithoutItsDeploymentIsNotUpToDate() {
    Seen seen = Seen.stable().sameAsFrozen(true).noCluster();

    assertThat(words(seen.decide(true, false))).isEqualTo("parked StateNotFound");
  }

  @Test
  void aRevertBeforeTheStopEndsTheOperation() {
    Seen seen = Seen.begun().sameAsStable();

    assertThat(seen.decide(false, false)).isInstanceOf(Reverted.class);
  }

  @Test
  void aRevertAfterTheStopGoesOnFromTheRecordedState() {
    Seen seen = Seen.recorded().sameAsStable();

    assertThat(words(seen.decide(false, false))).isEqualTo("none -> " + RECORDED);
  }

  @Test
  void onlyTheClusterThatWasSeenMayGo() {
    Seen seen = Seen.stable();

    Proceed decision = (Proceed) seen.decide(true, false);

    assertThat(decision.plan().teardown()).isEqualTo(new Plan.Teardown(OLD, 6L, null, null));
  }

  @Test
  void noClusterMayGoWhenNoneWasSeen() {
    Seen seen = Seen.recorded();

    Proceed decision = (Proceed) seen.decide(true, false);

    assertThat(decision.plan().teardown())
        .isEqualTo(new Plan.Teardown(Plan.Teardown.NO_JOB, null, null, null));
  }

  @ParameterizedTest
  @ValueSource(strings = {Reasons.STATE_NOT_FOUND})
  void everyHoldForLostStateOffersAChoice(String reason) {
    assertThat(forward().map(row -> (Seen) row.get()[1]))
        .allSatisfy(
            seen -> {
              Decision decision = seen.decide(true, false);
              if (decision instanceof Hold hold && hold.reason().equals(reason)) {
                assertThat(hold.offersRestoreFrom()).isTrue();
              }
            });
  }

  @Test
  void aFirstJobIsToldWhatItStartsFrom() {
    assertThat(why(Seen.fresh())).isEqualTo("The job starts empty: nothing was ever deployed.");
    assertThat(why(Seen.fresh().initial("s3://first")))
        .isEqualTo(
            "No job ran yet: nothing was ever deployed. It starts from savepoint s3://first, which"
                + " the spec names.");
  }

  private static String why(Seen seen) {
    return ((Decision.Proceed) seen.decide(true, false)).plan().why();
  }
}
