package dev.sluice.activities.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.flink.JobState;
import dev.sluice.activities.support.Stats;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class NewestStateTest {

  static List<Arguments> cases() {
    Stats none = Stats.none();
    return List.of(
        Arguments.of("nothing at all", none, null),
        Arguments.of("the checkpoint", none.checkpoint(3, "/c/3"), "/c/3"),
        Arguments.of("a later savepoint", none.checkpoint(3, "/c/3").savepoint(4, "/s/4"), "/s/4"),
        Arguments.of("a later checkpoint", none.checkpoint(5, "/c/5").savepoint(4, "/s/4"), "/c/5"),
        Arguments.of(
            "before, what was restored", none.checkpoint(3, "/c/3").restored("/r"), "/c/3"),
        Arguments.of("what was restored, if nothing else", none.restored("/r"), "/r"),
        Arguments.of(
            "an older savepoint, if Flink deleted the checkpoint",
            none.discardedCheckpoint(5, "/c/5").savepoint(4, "/s/4"),
            "/s/4"),
        Arguments.of(
            "nothing that has no path",
            none.checkpoint(3, "<checkpoint-not-externally-addressable>"),
            null));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void ofAJobThatFailedOrWasCancelled(String what, Stats stats, String path) {
    assertThat(NewestState.of(JobState.CANCELED, stats.build()).orElse(null)).isEqualTo(path);
  }

  @Test
  void ofAFinishedJobOnlyTheSavepointItWasStoppedWith() {
    Stats stopped = Stats.none().discardedCheckpoint(3, "/c/3").savepoint(4, "/s/4");
    Stats ranToItsEnd = Stats.none().savepoint(2, "/s/2").discardedCheckpoint(3, "/c/3");
    Stats neverTookAny = Stats.none().restored("/r");

    assertThat(NewestState.of(JobState.FINISHED, stopped.build())).contains("/s/4");
    assertThat(NewestState.of(JobState.FINISHED, ranToItsEnd.build())).isEmpty();
    assertThat(NewestState.of(JobState.FINISHED, neverTookAny.build())).isEmpty();
  }
}
