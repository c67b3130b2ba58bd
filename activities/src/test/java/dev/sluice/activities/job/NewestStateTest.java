package dev.sluice.activities.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Stats;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.model.StateRef.Checkpoint;
import dev.sluice.workflows.model.StateRef.Savepoint;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class NewestStateTest {

  private static final String OWN = "file:/c/" + FakeFlink.JOB + "/chk-9";

  private static NewestState of(FlinkJobState state, Stats stats) {
    return NewestState.of(state, FakeFlink.JOB, Optional.of(stats.build()));
  }

  static List<Arguments> known() {
    Stats none = Stats.none();
    return List.of(
        Arguments.of("the checkpoint", none.checkpoint(3, "/c/3"), new Checkpoint("/c/3")),
        Arguments.of(
            "a later savepoint",
            none.checkpoint(3, "/c/3").savepoint(4, "/s/4"),
            new Savepoint("/s/4")),
        Arguments.of(
            "the savepoint it was stopped with",
            none.checkpoint(3, "/c/3").stopped(4, "/s/4"),
            new Savepoint("/s/4")),
        Arguments.of(
            "a later checkpoint",
            none.checkpoint(5, "/c/5").savepoint(4, "/s/4"),
            new Checkpoint("/c/5")),
        Arguments.of(
            "before, what was restored",
            none.checkpoint(3, "/c/3").restored("/r"),
            new Checkpoint("/c/3")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("known")
  void theCompletedOneWithTheHighestIdIsTheNewest(String what, Stats stats, StateRef newest) {
    assertThat(of(FlinkJobState.CANCELED, stats)).isEqualTo(new NewestState(newest, true));
  }

  static List<Arguments> lost() {
    Stats none = Stats.none();
    return List.of(
        Arguments.of("Flink deleted it", none.discardedCheckpoint(5, "/c/5")),
        Arguments.of(
            "Flink deleted it, and there is an older savepoint",
            none.discardedCheckpoint(5, "/c/5").savepoint(4, "/s/4")),
        Arguments.of(
            "Flink deleted it, and it was restored from a savepoint",
            none.discardedCheckpoint(5, "/c/5").restored("/r")),
        Arguments.of(
            "it has no path", none.checkpoint(3, "<checkpoint-not-externally-addressable>")));
  }

  /** FLINK-39043: the last of them keeps an upgrade from it, and no more. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("lost")
  void anOlderOneNeverTakesThePlaceOfTheNewest(String what, Stats stats) {
    NewestState newest = of(FlinkJobState.CANCELED, stats);

    assertThat(newest.state()).isInstanceOf(StateRef.Unknown.class);
    assertThat(newest.progressed()).isTrue();
  }

  @Test
  void aJobThatCompletedNothingIsWhereItBegan() {
    assertThat(of(FlinkJobState.FAILED, Stats.none().restored("/r")))
        .isEqualTo(new NewestState(new Savepoint("/r"), false));
    assertThat(of(FlinkJobState.FAILED, Stats.none().restoredCheckpoint("/c/0b/chk-3")))
        .isEqualTo(new NewestState(new Checkpoint("/c/0b/chk-3"), false));
  }

  @Test
  void itsOwnCheckpointThatItWasRestoredFromIsProgress() {
    assertThat(of(FlinkJobState.RUNNING, Stats.none().restoredCheckpoint(OWN)))
        .isEqualTo(new NewestState(new Checkpoint(OWN), true));
  }

  @Test
  void aJobThatStartedEmptyAndCompletedNothingIsEmpty() {
    NewestState newest = of(FlinkJobState.RUNNING, Stats.none());

    assertThat(newest.state()).isInstanceOf(StateRef.Empty.class);
    assertThat(newest.progressed()).isFalse();
  }

  @Test
  void aJobThatCannotTakeCheckpointsIsEmpty() {
    NewestState newest = NewestState.of(FlinkJobState.RUNNING, FakeFlink.JOB, Optional.empty());

    assertThat(newest.state()).isInstanceOf(StateRef.Empty.class);
    assertThat(newest.progressed()).isFalse();
  }

  @Test
  void ofAFinishedJobOnlyTheSavepointItWasStoppedWith() {
    assertThat(
            of(
                FlinkJobState.FINISHED,
                Stats.none().discardedCheckpoint(3, "/c/3").stopped(4, "/s/4")))
        .isEqualTo(new NewestState(new Savepoint("/s/4"), true));
  }

  static List<Stats> finishedByItself() {
    return List.of(
        Stats.none(),
        Stats.none().restored("/r"),
        Stats.none().savepoint(4, "/s/4"),
        Stats.none().savepoint(2, "/s/2").discardedCheckpoint(3, "/c/3"));
  }

  @ParameterizedTest
  @MethodSource("finishedByItself")
  void aJobThatFinishedByItselfHasNothingLeftToRestore(Stats stats) {
    NewestState newest = of(FlinkJobState.FINISHED, stats);

    assertThat(newest.state()).isInstanceOf(StateRef.Empty.class);
    assertThat(newest.progressed()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(value = FlinkJobState.class, mode = EnumSource.Mode.EXCLUDE, names = "FINISHED")
  void inEveryOtherStateTheSameHolds(FlinkJobState state) {
    assertThat(of(state, Stats.none().checkpoint(3, "/c/3")).state())
        .isEqualTo(new Checkpoint("/c/3"));
  }
}
