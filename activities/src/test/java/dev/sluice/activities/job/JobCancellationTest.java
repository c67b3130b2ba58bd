package dev.sluice.activities.job;

import static dev.sluice.activities.support.FakeFlink.JOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.async.ActGuard;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.Checkpoints;
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
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobCancellationTest {

  private static final ActGuard LEASED = () -> true;
  private static final String CANCELLED = "cancelled";
  private static final Map<String, String> HA = Map.of("high-availability.type", "kubernetes");
  private static final Instant LATER = FakeFlink.BEGUN.plusSeconds(3600);

  private final TestClock clock = new TestClock();
  private final FakeFlink flink = new FakeFlink();

  @Test
  void asksOnceAndWaitsForTheEnd() {
    flink.running();
    JobCancellation cancellation = cancellation(OnlyIf.ANY_CASE);

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
    JobCancellation cancellation = cancellation(OnlyIf.ANY_CASE);
    look(cancellation);
    clock.advance(Duration.ofSeconds(6));

    look(cancellation);

    assertThat(flink.effects).hasSize(2);
  }

  @Test
  void nothingIsCancelledWithoutTheLease() {
    flink.running();
    JobCancellation cancellation = cancellation(OnlyIf.STATE_IS_KEPT);

    assertThatThrownBy(() -> cancellation.look(() -> false))
        .isInstanceOf(ActGuard.NotLeasedException.class);
    assertThat(flink.effects).isEmpty();
    look(cancellation);

    assertThat(flink.effects).hasSize(1);
  }

  @Test
  void theStateIsReadOnceFlinksCacheIsOver() {
    flink.job(FlinkJobState.CANCELED, 0);
    flink.checkpoints(Stats.none().checkpoint(7, "file:/c/chk-7").build());
    JobCancellation cancellation = cancellation(OnlyIf.STATE_IS_KEPT);

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

  private static Arguments live(
      String what, OnlyIf onlyIf, Consumer<FakeFlink> world, String outcome) {
    return Arguments.of(what, onlyIf, Map.of(), world, outcome);
  }

  /** What is done about a job that lives: it is cancelled, or why not. */
  static Stream<Arguments> lives() {
    Instant since = LATER;
    Consumer<FakeFlink> begunAgain =
        it -> it.restarted(since).running().checkpoints(at(2, "file:/c/chk-2").build());
    return Stream.of(
        live("whatever it has", OnlyIf.ANY_CASE, it -> it.retention(Retention.DELETED), CANCELLED),
        live(
            "checkpoints that would be deleted",
            OnlyIf.STATE_IS_KEPT,
            it -> it.retention(Retention.DELETED).checkpoints(at(7, "/c/7").build()),
            FailureType.STATE_NOT_FOUND),
        live(
            "checkpoints that may be deleted",
            OnlyIf.STATE_IS_KEPT,
            it -> it.retention(Retention.UNKNOWN).checkpoints(at(7, "/c/7").build()),
            FailureType.STATE_NOT_FOUND),
        live(
            "no checkpoints to delete",
            OnlyIf.STATE_IS_KEPT,
            FakeFlink::withoutCheckpointing,
            CANCELLED),
        live(
            "progress since it was decided",
            OnlyIf.NOT_PROGRESSED,
            it -> it.checkpoints(at(7, "/c/7").build()),
            FailureType.OUTDATED),
        live(
            "still no progress",
            OnlyIf.NOT_PROGRESSED,
            it -> it.checkpoints(Stats.none().build()),
            CANCELLED),
        live(
            "the progress of the plan",
            OnlyIf.PROGRESS_IS_KEPT,
            it -> it.checkpoints(at(9, "/c/9").build()),
            CANCELLED),
        live(
            "no progress any more",
            OnlyIf.PROGRESS_IS_KEPT,
            it -> it.restarted(since).running().checkpoints(Stats.none().build()),
            FailureType.STATE_NOT_FOUND),
        live(
            "other progress, since it was begun again",
            OnlyIf.PROGRESS_IS_KEPT,
            begunAgain,
            FailureType.STATE_NOT_FOUND),
        Arguments.of("taken over", OnlyIf.PROGRESS_IS_KEPT, HA, begunAgain, CANCELLED));
  }

  @ParameterizedTest(name = "{1}: {0}")
  @MethodSource("lives")
  void aJobIsCancelledOnlyWhereThatLosesNothing(
      String what,
      OnlyIf onlyIf,
      Map<String, String> configuration,
      Consumer<FakeFlink> world,
      String outcome) {
    world.accept(flink.running());

    ProbeResult<TakenState> seen = look(cancellation(onlyIf, configuration));

    assertThat(seen instanceof ProbeResult.Failed ? type(seen) : CANCELLED).isEqualTo(outcome);
    assertThat(flink.effects).hasSize(outcome.equals(CANCELLED) ? 1 : 0);
  }

  /** What a job has left that has ended, by what was seen of it before. */
  static Stream<Arguments> ends() {
    Instant since = LATER;
    Consumer<FakeFlink> nothing = it -> {};
    Consumer<FakeFlink> nine = it -> it.running().checkpoints(at(9, "file:/c/9").build());
    String lost = FailureType.STATE_NOT_FOUND;
    return Stream.of(
        Arguments.of(
            "an older savepoint beside a deleted checkpoint",
            OnlyIf.STATE_IS_KEPT,
            Map.of(),
            nothing,
            Stats.none().discardedCheckpoint(7, "/c/7").savepoint(5, "/s/5").build(),
            null,
            lost),
        Arguments.of(
            "no checkpoint of its own",
            OnlyIf.STATE_IS_KEPT,
            Map.of(),
            nothing,
            Stats.none().restored("/s/1").build(),
            null,
            "/s/1"),
        Arguments.of(
            "where it began, after a checkpoint was seen",
            OnlyIf.STATE_IS_KEPT,
            Map.of(),
            nine,
            Stats.none().restored("/s/1").build(),
            null,
            lost),
        Arguments.of(
            "another checkpoint, begun again after one was seen",
            OnlyIf.STATE_IS_KEPT,
            Map.of(),
            nine,
            at(2, "/c/2").restored("/s/1").build(),
            since,
            lost),
        Arguments.of(
            "another checkpoint, taken over after one was seen",
            OnlyIf.STATE_IS_KEPT,
            HA,
            nine,
            at(10, "/c/10").build(),
            since,
            "/c/10"),
        Arguments.of(
            "another checkpoint, begun again since the plan",
            OnlyIf.PROGRESS_IS_KEPT,
            Map.of(),
            nothing,
            at(2, "/c/2").build(),
            since,
            lost),
        Arguments.of(
            "nothing of the progress that was planned on",
            OnlyIf.PROGRESS_IS_KEPT,
            Map.of(),
            nothing,
            Stats.none().build(),
            null,
            lost));
  }

  @ParameterizedTest(name = "{1}: {0}")
  @MethodSource("ends")
  void theStateOfAJobThatHasEndedIsItsNewestOrNotKnown(
      String what,
      OnlyIf onlyIf,
      Map<String, String> configuration,
      Consumer<FakeFlink> before,
      Checkpoints left,
      @Nullable Instant begunAgain,
      String outcome) {
    before.accept(flink);
    JobCancellation cancellation = cancellation(onlyIf, configuration);
    if (!flink.jobsOverview(null).alive().isEmpty()) {
      look(cancellation);
    }
    if (begunAgain != null) {
      flink.restarted(begunAgain);
    }
    flink.job(FlinkJobState.CANCELED, 0).checkpoints(left);
    look(cancellation);
    clock.advance(Duration.ofSeconds(4));

    ProbeResult<TakenState> seen = look(cancellation);

    assertThat(seen instanceof ProbeResult.Failed ? type(seen) : state(seen).pathOrNull())
        .isEqualTo(outcome);
  }

  @Test
  void aJobThatSomebodyStoppedHasTheSavepointOfThatStop() {
    flink.job(FlinkJobState.FINISHED, 0).checkpoints(Stats.none().stopped(4, "/s/4").build());
    JobCancellation cancellation = cancellation(OnlyIf.STATE_IS_KEPT);
    look(cancellation);
    clock.advance(Duration.ofSeconds(4));

    assertThat(state(look(cancellation))).isEqualTo(new StateRef.Savepoint("/s/4"));
  }

  @ParameterizedTest
  @CsvSource({"ANY_CASE, true", "STATE_IS_KEPT, false"})
  void aJobThatIsNotKnownForLongIsGoneAndItsStateIsNotKnown(OnlyIf onlyIf, boolean done) {
    flink.noJob();
    JobCancellation cancellation = cancellation(onlyIf);

    assertThat(look(cancellation)).isInstanceOf(ProbeResult.NotYet.class);
    clock.advance(Duration.ofSeconds(21));

    ProbeResult<TakenState> seen = look(cancellation);
    assertThat(seen instanceof ProbeResult.Done || type(seen).equals(FailureType.STATE_NOT_FOUND))
        .isTrue();
    assertThat(seen instanceof ProbeResult.Done).isEqualTo(done);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void atTheDeadlineItIsNotKnownWhatBecameOfTheJob(boolean answers) {
    flink.job(FlinkJobState.CANCELLING, 1).up(answers);
    JobCancellation cancellation = cancellation(OnlyIf.ANY_CASE);
    clock.advance(Duration.ofMinutes(4));

    assertThat(type(look(cancellation))).isEqualTo(FailureType.TIMED_OUT);
  }

  private static Stats at(long checkpoint, String path) {
    return Stats.none().checkpoint(checkpoint, path);
  }

  private JobCancellation cancellation(OnlyIf onlyIf) {
    return cancellation(onlyIf, Map.of());
  }

  private JobCancellation cancellation(OnlyIf onlyIf, Map<String, String> configuration) {
    long begunMs = onlyIf == OnlyIf.PROGRESS_IS_KEPT ? FakeFlink.BEGUN.toEpochMilli() : 0;
    return new JobCancellation(
        new CancelRequest(
            Jobs.RESOURCE, Jobs.JOB, onlyIf, begunMs, clock.in(Duration.ofMinutes(3))),
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
