package dev.sluice.e2e.breakpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.e2e.breakpoint.Breakpoint.Moment;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BreakpointTest {

  @TempDir private Path folder;

  private Breakpoint first() {
    return new Breakpoint(folder, Moment.BEFORE, "RecordVersions", "FlinkApplication_ns_words");
  }

  @Test
  void oneThatIsSetHoldsUntilItIsReleased() {
    // given
    Breakpoint first = first();
    assertThat(first.holds("run 1")).isFalse();

    // when
    first.set();

    // then
    assertThat(first.holds("run 1")).isTrue();
    assertThat(first.isReached()).isFalse();

    // and when
    first.mark("reached", "run 1");
    first.release();

    // then
    assertThat(first.isReached()).isTrue();
    assertThat(first.holds("run 1")).isFalse();
  }

  @Test
  void theSameForTheNextActivityLetsTheOneThatWaitedGoOnHoweverOftenItIsTriedAgain() {
    // given
    Breakpoint first = first();
    first.set();
    first.mark("reached", "run 1");

    // when
    Breakpoint second = first.again();
    second.set();

    // then
    assertThat(first().holds("run 1")).isFalse();
    assertThat(first().holds("run 2")).isTrue();
    assertThat(second.isReached()).isFalse();

    // and when
    second.mark("reached", "run 2");
    second.again().set();

    // then
    assertThat(first().holds("run 1")).isFalse();
    assertThat(first().holds("run 2")).isFalse();
    assertThat(first().holds("run 3")).isTrue();
  }
}
