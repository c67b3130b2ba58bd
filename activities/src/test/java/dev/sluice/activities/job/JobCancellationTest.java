package dev.sluice.activities.job;

import static dev.sluice.activities.support.FakeFlink.JOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.async.ActGuard;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Jobs;
import dev.sluice.activities.support.Stats;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.JobActivities.CancelRequest;
import dev.sluice.workflows.activity.JobActivities.CancelRequest.OnlyIf;
import dev.sluice.workflows.activity.JobActivities.TakenState;
import dev.sluice.workflows.model.JobObservation.Retention;
import dev.sluice.workflows.model.StateRef;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JobCancellationTest {

  private static final ActGuard LEASED = () -> true;

  private final TestClock clock = new TestClock();
  private final FakeFlink flink = new FakeFlink();

  @Test
  void asksOnceAndWaitsForTheEnd() {
    flink.running();
    JobCancellation cancellation = cancellation(false);

    look(cancellation);
    look(cancellation);
    flink.job(FlinkJobState.CANCELLING, 4);
    look(cancellation);
    flink.job(FlinkJobState.CANCELED, 0);

    assertThat(look(cancellation))
        .isEqualTo(
            ProbeResult.done(
                new TakenState(
                    new StateRef.Empty("its state is not needed"), "the job is CANCELED")));
    assertThat(flink.effects).containsExactly("cancel " + JOB);
  }

  @Test
  void asksAgainWhenARequestWasLost() {
    flink.running();
    JobCancellation cancellation = cancellation(false);
    look(cancellation);
    clock.advance(Duration.ofSeconds(6));

    look(cancellation);

    assertThat(flink.effects).hasSize(2);
  }

  @Test
  void aJobThatHasEndedIsNotCancelled() {
    flink.job(FlinkJobState.FAILED, 0);

    assertThat(look(cancellation(false))).isInstanceOf(ProbeResult.Done.class);
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void nothingIsCancelledWithoutTheLease() {
    flink.running();
    JobCancellation cancellation = cancellation(true);

    assertThatThrownBy(() -> cancellation.look(() -> false))
        .isInstanceOf(ActGuard.NotLeasedException.class);
    assertThat(flink.effects).isEmpty();
    look(cancellation);

    assertThat(flink.effects).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = Retention.class,
      names = {"DELETED", "UNKNOWN"})
  void aJobWhoseCheckpointsWouldBeDeletedIsNotCancelledWhenItsStateIsWanted(Retention retention) {
    flink.running().retention(retention).checkpoints(Stats.none().checkpoint(7, "/c/7").build());

    ProbeResult<TakenState> seen = look(cancellation(true));

    assertThat(type(seen)).isEqualTo(FailureType.STATE_NOT_FOUND);
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void aJobWhoseCheckpointsWouldBeDeletedIsCancelledWhenItsStateIsNotWanted() {
    flink.running().retention(Retention.DELETED);

    look(cancellation(false));

    assertThat(flink.effects).hasSize(1);
  }

  @Test
  void aJobThatHasProgressedSinceItWasDecidedIsNotCancelled() {
    flink.running().checkpoints(Stats.none().checkpoint(7, "/c/7").build());

    ProbeResult<TakenState> seen = look(cancellation(OnlyIf.NOT_PROGRESSED));

    assertThat(type(seen)).isEqualTo(FailureType.OUTDATED);
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void aJobThatHasStillNotProgressedIsCancelled() {
    flink.running().checkpoints(Stats.none().build());

    look(cancellation(OnlyIf.NOT_PROGRESSED));

    assertThat(flink.effects).containsExactly("cancel " + JOB);
  }

  @Test
  void aJobThatCannotTakeCheckpointsLosesNothing() {
    flink.running().withoutCheckpointing();
    JobCancellation cancellation = cancellation(true);
    look(cancellation);
    flink.job(FlinkJobState.CANCELED, 0);
    look(cancellation);
    clock.advance(Duration.ofSeconds(4));

    assertThat(state(look(cancellation))).isInstanceOf(StateRef.Empty.class);
  }

  @Test
  void theStateIsReadOnceFlinksCacheIsOver() {
    flink.job(FlinkJobState.CANCELED, 0);
    flink.checkpoints(Stats.none().checkpoint(7, "file:/c/chk-7").build());
    JobCancellation cancellation = cancellation(true);

    assertThat(look(cancellation)).isInstanceOf(ProbeResult.NotYet.class);
    flink.checkpoints(Stats.none().checkpoint(8, "file:/c/chk-8").build());
    clock.advance(Duration.ofSeconds(4));

    assertThat(look(cancellation))
        .isEqualTo(
            ProbeResult.done(
                new TakenState(
                    new StateRef.Checkpoint("file:/c/chk-8"),
                    "newest state of the job, which is CANCELED")));
  }

  @Test
  void anOlderSavepointDoesNotTakeThePlaceOfADeletedCheckpoint() {
    flink.job(FlinkJobState.CANCELED, 0);
    flink.checkpoints(Stats.none().discardedCheckpoint(7, "/c/7").savepoint(5, "/s/5").build());
    JobCancellation cancellation = cancellation(true);
    look(cancellation);
    clock.advance(Duration.ofSeconds(4));

    assertThat(type(look(cancellation))).isEqualTo(FailureType.STATE_NOT_FOUND);
  }

  @Test
  void aJobThatNeverTookACheckpointIsWhereItBegan() {
    flink.job(FlinkJobState.CANCELED, 0).checkpoints(Stats.none().restored("/s/1").build());
    JobCancellation cancellation = cancellation(true);
    look(cancellation);
    clock.advance(Duration.ofSeconds(4));

    assertThat(state(look(cancellation))).isEqualTo(new StateRef.Savepoint("/s/1"));
  }

  @Test
  void aJobThatItsJobManagerBeganAgainMeanwhileIsNotWhereItBegan() {
    flink.running().checkpoints(Stats.none().checkpoint(9, "file:/c/chk-9").build());
    JobCancellation cancellation = cancellation(true);
    look(cancellation);
    flink.job(FlinkJobState.CANCELED, 0).checkpoints(Stats.none().restored("/s/1").build());
    look(cancellation);
    clock.advance(Duration.ofSeconds(4));

    assertThat(look(cancellation))
        .isInstanceOfSatisfying(
            ProbeResult.Failed.class,
            failed -> {
              assertThat(failed.type()).isEqualTo(FailureType.STATE_NOT_FOUND);
              assertThat(failed.message()).contains("file:/c/chk-9");
            });
  }

  @Test
  void aJobThatLostItsProgressWithTheWorkerThatSawItIsNotCancelled() {
    flink.running().checkpoints(Stats.none().checkpoint(9, "file:/c/chk-9").build());
    look(cancellation(OnlyIf.PROGRESS_IS_KEPT));
    flink.restarted(clock.instant()).running().checkpoints(Stats.none().build());

    JobCancellation next = cancellation(OnlyIf.PROGRESS_IS_KEPT);

    assertThat(type(look(next))).isEqualTo(FailureType.STATE_NOT_FOUND);
  }

  /** Between the plan and the cancellation, so that no attempt has seen what was there before. */
  @Test
  void aJobThatWasBegunAgainAndHasNewCheckpointsIsNotCancelled() {
    flink.restarted(clock.instant()).running();
    flink.checkpoints(Stats.none().checkpoint(2, "file:/c/chk-2").build());

    JobCancellation cancellation = cancellationOf(FakeFlink.BEGUN, Map.of());

    assertThat(type(look(cancellation))).isEqualTo(FailureType.STATE_NOT_FOUND);
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void aJobThatEndedAfterItWasBegunAgainHasNotWhatWasPlannedOn() {
    flink.restarted(clock.instant()).job(FlinkJobState.CANCELED, 0);
    flink.checkpoints(Stats.none().checkpoint(2, "file:/c/chk-2").build());
    JobCancellation cancellation = cancellationOf(FakeFlink.BEGUN, Map.of());
    look(cancellation);
    clock.advance(Duration.ofSeconds(4));

    assertThat(type(look(cancellation))).isEqualTo(FailureType.STATE_NOT_FOUND);
  }

  @Test
  void withHighAvailabilityAJobThatWasTakenOverSinceThePlanIsCancelled() {
    flink.restarted(clock.instant()).running();
    flink.checkpoints(Stats.none().checkpoint(10, "file:/c/chk-10").build());

    look(cancellationOf(FakeFlink.BEGUN, Map.of("high-availability.type", "kubernetes")));

    assertThat(flink.effects).containsExactly("cancel " + JOB);
  }

  @Test
  void aJobThatIsStillTheOneOfThePlanIsCancelled() {
    flink.running().checkpoints(Stats.none().checkpoint(9, "file:/c/chk-9").build());

    look(cancellationOf(FakeFlink.BEGUN, Map.of()));

    assertThat(flink.effects).containsExactly("cancel " + JOB);
  }

  @Test
  void aCancelledJobThatLostItsProgressIsNotStartedFromNothing() {
    flink.job(FlinkJobState.CANCELED, 0).checkpoints(Stats.none().build());
    JobCancellation next = cancellation(OnlyIf.PROGRESS_IS_KEPT);
    look(next);
    clock.advance(Duration.ofSeconds(4));

    assertThat(type(look(next))).isEqualTo(FailureType.STATE_NOT_FOUND);
  }

  @Test
  void aCheckpointOfAJobThatWasBegunAgainIsNotItsNewestState() {
    flink.running().checkpoints(Stats.none().checkpoint(9, "file:/c/chk-9").build());
    JobCancellation cancellation = cancellation(true);
    look(cancellation);
    flink.restarted(clock.instant()).job(FlinkJobState.CANCELED, 0);
    flink.checkpoints(Stats.none().checkpoint(2, "file:/c/chk-2").restored("/s/1").build());
    look(cancellation);
    clock.advance(Duration.ofSeconds(4));

    assertThat(look(cancellation))
        .isInstanceOfSatisfying(
            ProbeResult.Failed.class,
            failed -> {
              assertThat(failed.type()).isEqualTo(FailureType.STATE_NOT_FOUND);
              assertThat(failed.message()).contains("file:/c/chk-9");
            });
  }

  @Test
  void withHighAvailabilityTheNewestCheckpointIsThatOfTheJobManagerThatTookOver() {
    flink.running().checkpoints(Stats.none().checkpoint(9, "file:/c/chk-9").build());
    JobCancellation cancellation = cancellation(true, Map.of("high-availability", "zookeeper"));
    look(cancellation);
    flink.restarted(clock.instant()).job(FlinkJobState.CANCELED, 0);
    flink.checkpoints(Stats.none().checkpoint(10, "file:/c/chk-10").build());
    look(cancellation);
    clock.advance(Duration.ofSeconds(4));

    assertThat(state(look(cancellation))).isEqualTo(new StateRef.Checkpoint("file:/c/chk-10"));
  }

  @Test
  void aJobThatSomebodyStoppedHasTheSavepointOfThatStop() {
    flink.job(FlinkJobState.FINISHED, 0).checkpoints(Stats.none().stopped(4, "/s/4").build());
    JobCancellation cancellation = cancellation(true);
    look(cancellation);
    clock.advance(Duration.ofSeconds(4));

    assertThat(state(look(cancellation))).isEqualTo(new StateRef.Savepoint("/s/4"));
  }

  @Test
  void aJobThatIsNotKnownIsGoneAfterAWhile() {
    flink.noJob();
    JobCancellation cancellation = cancellation(false);

    assertThat(look(cancellation)).isInstanceOf(ProbeResult.NotYet.class);
    clock.advance(Duration.ofSeconds(21));

    assertThat(look(cancellation)).isInstanceOf(ProbeResult.Done.class);
  }

  @Test
  void theStateOfAJobThatIsNotKnownIsNotKnown() {
    flink.noJob();
    JobCancellation cancellation = cancellation(true);
    look(cancellation);
    clock.advance(Duration.ofSeconds(21));

    assertThat(type(look(cancellation))).isEqualTo(FailureType.STATE_NOT_FOUND);
  }

  @Test
  void atTheDeadlineItIsNotKnownWhatBecameOfTheJob() {
    flink.job(FlinkJobState.CANCELLING, 1);
    JobCancellation cancellation = cancellation(false);
    clock.advance(Duration.ofMinutes(4));

    assertThat(type(look(cancellation))).isEqualTo(FailureType.TIMED_OUT);
  }

  @Test
  void atTheDeadlineASilentJobManagerTellsNothing() {
    flink.running().up(false);
    JobCancellation cancellation = cancellation(false);
    clock.advance(Duration.ofMinutes(4));

    assertThat(type(look(cancellation))).isEqualTo(FailureType.TIMED_OUT);
  }

  private JobCancellation cancellation(boolean keepState) {
    return cancellation(keepState ? OnlyIf.STATE_IS_KEPT : OnlyIf.ANY_CASE, Map.of());
  }

  private JobCancellation cancellation(boolean keepState, Map<String, String> configuration) {
    return cancellation(keepState ? OnlyIf.STATE_IS_KEPT : OnlyIf.ANY_CASE, configuration);
  }

  private JobCancellation cancellation(OnlyIf onlyIf) {
    return cancellation(onlyIf, Map.of());
  }

  private JobCancellation cancellation(OnlyIf onlyIf, Map<String, String> configuration) {
    return new JobCancellation(
        new CancelRequest(Jobs.RESOURCE, Jobs.JOB, onlyIf, clock.in(Duration.ofMinutes(3))),
        new JobTarget(Jobs.cluster(configuration), JOB, FlinkConfiguration.empty()),
        flink,
        clock);
  }

  private JobCancellation cancellationOf(Instant begun, Map<String, String> configuration) {
    return new JobCancellation(
        new CancelRequest(
            Jobs.RESOURCE,
            Jobs.JOB,
            OnlyIf.PROGRESS_IS_KEPT,
            begun.toEpochMilli(),
            clock.in(Duration.ofMinutes(3))),
        new JobTarget(Jobs.cluster(configuration), JOB, FlinkConfiguration.empty()),
        flink,
        clock);
  }

  private static String type(ProbeResult<TakenState> outcome) {
    assertThat(outcome).isInstanceOf(ProbeResult.Failed.class);
    return ((ProbeResult.Failed<TakenState>) outcome).type();
  }

  private static StateRef state(ProbeResult<TakenState> outcome) {
    assertThat(outcome).isInstanceOf(ProbeResult.Done.class);
    return ((ProbeResult.Done<TakenState>) outcome).result().state();
  }

  private static ProbeResult<TakenState> look(JobCancellation cancellation) {
    return cancellation.look(LEASED);
  }
}
