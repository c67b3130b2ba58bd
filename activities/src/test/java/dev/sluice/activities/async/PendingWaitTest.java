package dev.sluice.activities.async;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class PendingWaitTest {

  private final WaitRig rig = new WaitRig();

  @Test
  void completesTheActivityWithTheResultOfTheFirstLookThatIsDone() {
    rig.seeing(
        ProbeResult.notYet("4 of 8"), ProbeResult.notYet("8 of 8"), ProbeResult.done("running"));

    rig.start(ofMinutes(5));
    rig.loop.advance(ofSeconds(1));

    assertThat(rig.temporal.completions).containsExactly("running");
    assertThat(rig.looks).containsExactly(ofMillis(0), ofMillis(100), ofMillis(200));
  }

  @Test
  void leavesNothingBehindWhenItEnds() {
    rig.seeing(ProbeResult.done("running"));

    rig.start(ofMinutes(5));
    rig.loop.advance(ofSeconds(1));

    assertThat(rig.gone).hasSize(1);
    assertThat(rig.loop.pending()).isZero();
  }

  @Test
  void failsTheActivityForGoodWithTheTypeTheProbeNames() {
    rig.seeing(ProbeResult.failed("JobFailed", "the job failed: out of memory"));

    rig.start(ofMinutes(5));
    rig.loop.settle();

    assertThat(rig.temporal.failures)
        .singleElement()
        .satisfies(
            failure -> {
              assertThat(failure.getType()).isEqualTo("JobFailed");
              assertThat(failure.getOriginalMessage()).isEqualTo("the job failed: out of memory");
              assertThat(failure.isNonRetryable()).isTrue();
            });
  }

  @Test
  void failsTheActivityRetryablyWhenTheProbeSaysSo() {
    rig.seeing(ProbeResult.retry("Lost", "the trigger is lost"));

    rig.start(ofMinutes(5));
    rig.loop.settle();

    assertThat(rig.temporal.failures).singleElement().matches(it -> !it.isNonRetryable());
  }

  @Test
  void looksLessAndLessOftenWhileNothingChanges() {
    rig.seeing(ProbeResult.notYet("4 of 8"));

    rig.start(ofMinutes(5));
    rig.loop.advance(ofMinutes(1));

    Duration gap = rig.looks.get(rig.looks.size() - 1).minus(rig.looks.get(rig.looks.size() - 2));
    assertThat(gap).isEqualTo(WaitRig.POLLING.idle());
  }

  @Test
  void looksQuicklyAgainAfterAChange() {
    ProbeResult<String> same = ProbeResult.notYet("4 of 8");
    rig.seeing(same, same, same, ProbeResult.notYet("5 of 8"));

    rig.start(ofMinutes(5));
    rig.loop.advance(ofSeconds(1));

    assertThat(rig.looks.get(4).minus(rig.looks.get(3))).isEqualTo(WaitRig.POLLING.quickest());
  }

  @Test
  void looksAtOnceWhenWoken() {
    PendingWait<String> wait = rig.start(ofMinutes(5));
    rig.loop.advance(ofMinutes(1));
    int before = rig.looks.size();

    wait.wake();
    rig.loop.advance(ofMillis(10));

    assertThat(rig.looks).hasSize(before + 1);
  }

  @Test
  void keepsItsPaceWhenAWakeShowsNothingNew() {
    PendingWait<String> wait = rig.start(ofMinutes(5));
    rig.loop.advance(ofMinutes(1));

    wait.wake();
    rig.loop.advance(ofMillis(10));
    int woken = rig.looks.size();
    rig.loop.advance(WaitRig.POLLING.idle());

    assertThat(rig.looks).hasSize(woken + 1);
  }

  @Test
  void takesABurstOfWakesForOne() {
    PendingWait<String> wait = rig.start(ofMinutes(5));
    rig.loop.advance(ofMinutes(1));
    int before = rig.looks.size();

    for (int i = 0; i < 100; i++) {
      wait.wake();
    }
    rig.loop.advance(ofMillis(50));

    assertThat(rig.looks).hasSize(before + 1);
  }

  @Test
  void looksOnceMoreWhenWokenDuringALookThatMayHaveSeenTheOldState() {
    CompletableFuture<ProbeResult<String>> slow = new CompletableFuture<>();
    rig.looking(slow).seeing(ProbeResult.done("running"));
    PendingWait<String> wait = rig.start(ofMinutes(5));

    wait.wake();
    rig.loop.advance(ofMillis(50));
    assertThat(rig.looks).hasSize(1);
    slow.complete(ProbeResult.notYet("4 of 8"));
    rig.loop.advance(ofMillis(10));

    assertThat(rig.looks).hasSize(2);
    assertThat(rig.temporal.completions).containsExactly("running");
  }

  @Test
  void neverHasTwoLooksAtATime() {
    rig.looking(new CompletableFuture<>());

    rig.start(ofMinutes(5));
    rig.loop.advance(WaitRig.POLLING.probeTimeout().minusMillis(1));

    assertThat(rig.looks).hasSize(1);
  }

  @Test
  void givesUpALookThatTakesTooLongAndLooksAgain() {
    CompletableFuture<ProbeResult<String>> stuck = new CompletableFuture<>();
    rig.looking(stuck).seeing(ProbeResult.done("running"));

    rig.start(ofMinutes(5));
    rig.loop.advance(ofSeconds(16));

    assertThat(stuck).isCancelled();
    assertThat(rig.temporal.completions).containsExactly("running");
  }
}
