package dev.sluice.activities.async;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.temporal.client.ActivityCanceledException;
import io.temporal.client.ActivityNotExistsException;
import io.temporal.client.ActivityPausedException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a wait and Temporal tell each other. */
class OpenWaitTemporalTest {

  private final RuntimeException away = new IllegalStateException("UNAVAILABLE");

  private final WaitRig rig = new WaitRig();

  @Test
  void heartbeatsAtAThirdOfTheTimeoutWithTheProgress() {
    rig.seeing(ProbeResult.notYet("5 of 8"));

    rig.start(ofMinutes(5));
    rig.loop.settle();
    assertThat(rig.temporal.heartbeats).containsExactly("5 of 8");
    rig.loop.advance(ofSeconds(31));

    assertThat(rig.temporal.heartbeats).containsExactly("5 of 8", "5 of 8", "5 of 8", "5 of 8");
  }

  @Test
  void heartbeatsNewsSoonerButNotMoreThanOnceASecond() {
    ProbeResult<String> same = ProbeResult.notYet("8 of 8");
    rig.seeing(
        ProbeResult.notYet("5 of 8"),
        ProbeResult.notYet("6 of 8"),
        ProbeResult.notYet("7 of 8"),
        same);

    rig.start(ofMinutes(5));
    rig.loop.advance(ofMillis(900));
    assertThat(rig.temporal.heartbeats).containsExactly("5 of 8");
    rig.loop.advance(ofMillis(100));

    assertThat(rig.temporal.heartbeats).containsExactly("5 of 8", "8 of 8");
  }

  @Test
  void cancellationEndsTheLookingAndIsReported() {
    CompletableFuture<ProbeResult<String>> slow = new CompletableFuture<>();
    rig.seeing(ProbeResult.notYet("5 of 8")).looking(slow);
    rig.temporal.onHeartbeat = new ActivityCanceledException();

    rig.start(ofMinutes(5));
    rig.loop.advance(ofSeconds(11));

    assertThat(rig.temporal.cancellations).containsExactly("5 of 8");
    assertThat(rig.gone).hasSize(1);
    assertThat(rig.loop.pending()).isZero();
  }

  @Test
  void cancellationAbandonsTheLookUnderWay() {
    CompletableFuture<ProbeResult<String>> slow = new CompletableFuture<>();
    rig.looking(slow);
    rig.start(ofMinutes(5));

    rig.temporal.onHeartbeat = new ActivityCanceledException();
    rig.loop.advance(ofSeconds(10));

    assertThat(slow).isCancelled();
  }

  @Test
  void anActivityTemporalHasGivenUpIsDroppedWithoutAWord() {
    rig.start(ofMinutes(5));
    int before = rig.temporal.endingsTried;

    rig.temporal.onHeartbeat = new ActivityNotExistsException("gone", null);
    rig.loop.advance(ofSeconds(10));

    assertThat(rig.gone).hasSize(1);
    assertThat(rig.temporal.endingsTried).isEqualTo(before);
  }

  @Test
  void aPausedActivityIsGivenBackForAnotherAttempt() {
    rig.start(ofMinutes(5));

    rig.temporal.onHeartbeat = new ActivityPausedException();
    rig.loop.advance(ofSeconds(10));

    assertThat(rig.temporal.failures)
        .singleElement()
        .matches(it -> it.getType().equals(Watcher.INTERRUPTED) && !it.isNonRetryable());
  }

  @Test
  void goesOnLookingWhileTemporalIsAway() {
    rig.temporal.onHeartbeat = away;

    rig.start(ofMinutes(5));
    rig.loop.advance(ofMinutes(1));

    assertThat(rig.gone).isEmpty();
    assertThat(rig.looks).hasSizeGreaterThan(30);
  }

  @Test
  void saysTheEndAgainUntilTemporalIsBack() {
    rig.seeing(ProbeResult.done("running"));
    rig.temporal.onEnding = away;

    rig.start(ofMinutes(5));
    rig.loop.advance(ofSeconds(20));
    assertThat(rig.temporal.completions).isEmpty();
    rig.temporal.onEnding = null;
    rig.loop.advance(ofSeconds(5));

    assertThat(rig.temporal.completions).containsExactly("running");
    assertThat(rig.gone).hasSize(1);
  }

  @Test
  void givesUpSayingTheEndWhenTheHeartbeatTimeoutIsOver() {
    rig.seeing(ProbeResult.done("running"));
    rig.temporal.onEnding = away;
    rig.temporal.onHeartbeat = away;

    rig.start(ofMinutes(5));
    rig.loop.advance(WaitRig.HEARTBEAT_TIMEOUT);
    int tried = rig.temporal.endingsTried;
    rig.loop.advance(ofMinutes(5));

    assertThat(rig.gone).hasSize(1);
    assertThat(rig.temporal.endingsTried).isBetween(5, 15).isEqualTo(tried);
  }

  @Test
  void heartbeatsOnWhileTheEndIsNotSaidYet() {
    rig.seeing(ProbeResult.done("running"));
    rig.temporal.onEnding = away;

    rig.start(ofMinutes(5));
    rig.loop.advance(ofSeconds(25));

    assertThat(rig.temporal.heartbeats).hasSize(2);
  }

  @Test
  void doesNotSayAnEndThatTemporalNoLongerWants() {
    rig.seeing(ProbeResult.done("running"));
    rig.temporal.onEnding = new ActivityNotExistsException("gone", null);

    rig.start(ofMinutes(5));
    rig.loop.advance(ofMinutes(1));

    assertThat(rig.temporal.endingsTried).isEqualTo(1);
    assertThat(rig.gone).hasSize(1);
  }

  @Test
  void looksOnWhileTemporalDoesNotAnswerAtAll() {
    Deque<Runnable> stuck = new ArrayDeque<>();
    rig.calling(stuck::add).seeing(ProbeResult.notYet("5 of 8"), ProbeResult.notYet("6 of 8"));

    rig.start(ofMinutes(5));
    rig.loop.advance(ofMinutes(1));

    assertThat(rig.looks).hasSizeGreaterThan(30);
    assertThat(stuck).as("one heartbeat under way, none piling up behind it").hasSize(1);
  }

  @Test
  void isGivenBackRetryablyWhenTheWorkerStops() {
    PendingWait<String> wait = rig.start(ofMinutes(5));

    wait.handOver();
    rig.loop.settle();

    assertThat(rig.temporal.failures)
        .singleElement()
        .matches(it -> it.getType().equals(Watcher.HANDED_OVER) && !it.isNonRetryable());
    assertThat(rig.gone).hasSize(1);
  }
}
