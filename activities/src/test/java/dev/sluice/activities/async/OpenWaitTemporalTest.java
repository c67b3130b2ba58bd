package dev.sluice.activities.async;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.temporal.client.ActivityCanceledException;
import io.temporal.client.ActivityNotExistsException;
import io.temporal.client.ActivityPausedException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a wait and Temporal tell each other. */
class OpenWaitTemporalTest {

  private final RuntimeException away = new IllegalStateException("UNAVAILABLE");

  private static final Duration NEWS = Heartbeat.NEWS;

  private final WaitRig rig = new WaitRig();

  @Test
  void heartbeatsAtTwoThirdsOfTheTimeoutWithTheProgress() {
    rig.seeing(ProbeResult.notYet("5 of 8"));

    rig.start(ofMinutes(5));
    rig.loop.advance(NEWS);
    assertThat(rig.temporal.heartbeats).containsExactly("5 of 8");
    rig.loop.advance(ofSeconds(60));

    assertThat(rig.temporal.heartbeats).containsExactly("5 of 8", "5 of 8", "5 of 8", "5 of 8");
  }

  @Test
  void aShortWaitThatOnlyLooksNeedsNoHeartbeat() {
    rig.seeing(ProbeResult.notYet("5 of 8"), ProbeResult.notYet("6 of 8"), ProbeResult.done("up"));

    rig.start(ofMinutes(5));
    rig.loop.advance(NEWS);

    assertThat(rig.temporal.completions).containsExactly("up");
    assertThat(rig.temporal.heartbeats).isEmpty();
  }

  @Test
  void aWaitThatActsHeartbeatsFirst() {
    rig.acting().start(ofMinutes(5));

    assertThat(rig.temporal.heartbeats).hasSize(1);
  }

  @Test
  void heartbeatsNewsSoonerButNotMoreThanOnceInFiveSeconds() {
    for (int i = 1; i < 80; i++) {
      rig.seeing(ProbeResult.notYet(i + " of 80"));
    }

    rig.start(ofMinutes(5));
    rig.loop.advance(ofSeconds(12));

    assertThat(rig.temporal.heartbeats).hasSize(2);
  }

  @Test
  void aHeartbeatThatDidNotArriveIsRepeatedSoon() {
    rig.seeing(ProbeResult.notYet("5 of 8"));
    rig.start(ofMinutes(5));
    rig.temporal.onHeartbeat = away;
    rig.loop.advance(NEWS);
    rig.temporal.onHeartbeat = null;

    rig.loop.advance(WaitRig.HEARTBEAT_TIMEOUT.dividedBy(12));

    assertThat(rig.temporal.heartbeats).hasSize(1);
  }

  @Test
  void cancellationEndsTheLookingAndIsReported() {
    CompletableFuture<ProbeResult<String>> slow = new CompletableFuture<>();
    rig.seeing(ProbeResult.notYet("5 of 8")).looking(slow);
    rig.temporal.onHeartbeat = new ActivityCanceledException();

    rig.start(ofMinutes(5));
    rig.loop.advance(ofSeconds(20));

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
    rig.loop.advance(ofSeconds(20));

    assertThat(slow).isCancelled();
  }

  @Test
  void anActivityTemporalHasGivenUpIsDroppedWithoutAWord() {
    rig.start(ofMinutes(5));
    int before = rig.temporal.endingsTried;

    rig.temporal.onHeartbeat = new ActivityNotExistsException("gone", null);
    rig.loop.advance(ofSeconds(20));

    assertThat(rig.gone).hasSize(1);
    assertThat(rig.temporal.endingsTried).isEqualTo(before);
  }

  @Test
  void aPausedActivityIsGivenBackForAnotherAttempt() {
    rig.start(ofMinutes(5));

    rig.temporal.onHeartbeat = new ActivityPausedException();
    rig.loop.advance(ofSeconds(20));

    assertThat(rig.temporal.failures)
        .singleElement()
        .matches(it -> it.getType().equals(Watcher.INTERRUPTED) && !it.isNonRetryable());
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

    assertThat(rig.temporal.heartbeats).hasSize(1);
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
  void heartbeatsDoNotPileUpBehindOneThatIsNotAnswered() {
    Deque<Runnable> stuck = new ArrayDeque<>();
    rig.calling(stuck::add).seeing(ProbeResult.notYet("5 of 8"), ProbeResult.notYet("6 of 8"));

    rig.start(ofMinutes(5));
    rig.loop.advance(ofMinutes(1));

    assertThat(stuck).hasSize(1);
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
