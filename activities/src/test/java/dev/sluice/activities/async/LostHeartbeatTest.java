package dev.sluice.activities.async;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.temporal.client.ActivityCanceledException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A wait whose heartbeats are not acknowledged: another attempt may be at work elsewhere. */
class LostHeartbeatTest {

  private final RuntimeException away = new IllegalStateException("UNAVAILABLE");
  private final AtomicInteger effects = new AtomicInteger();
  private final WaitRig rig = new WaitRig().acting();

  @BeforeEach
  void acknowledged() {
    rig.seeing(ProbeResult.notYet("5 of 8"));
  }

  private CompletableFuture<Integer> act() {
    return rig.guard.act(() -> CompletableFuture.completedFuture(effects.incrementAndGet()));
  }

  private void lose() {
    rig.temporal.onHeartbeat = away;
    rig.loop.advance(WaitRig.HEARTBEAT_TIMEOUT);
  }

  @Test
  void itActsWhileHeartbeatsAreAcknowledged() {
    rig.start(ofMinutes(30));
    rig.loop.advance(ofMinutes(10));

    act();

    assertThat(effects).hasValue(1);
  }

  @Test
  void itStopsLookingBeforeTheTimeoutIsOver() {
    rig.start(ofMinutes(30));
    rig.temporal.onHeartbeat = away;
    rig.loop.advance(WaitRig.HEARTBEAT_TIMEOUT.minus(ofSeconds(2)));
    int looks = rig.looks.size();

    rig.loop.advance(ofMinutes(5));

    assertThat(rig.looks).hasSize(looks);
  }

  @Test
  void anEffectOfALookThatBeganBeforeTheSilenceIsNotStarted() {
    CompletableFuture<ProbeResult<String>> slow = new CompletableFuture<>();
    rig.looking(slow).start(ofMinutes(30));
    lose();

    assertThat(act()).isCompletedExceptionally();
    assertThat(effects).hasValue(0);
  }

  @Test
  void aResultThatComesDuringTheSilenceIsNotClaimed() {
    CompletableFuture<ProbeResult<String>> slow = new CompletableFuture<>();
    rig.looking(slow).start(ofMinutes(30));
    rig.loop.advance(ofSeconds(20));
    rig.temporal.onHeartbeat = away;
    rig.loop.advance(ofSeconds(28));

    slow.complete(ProbeResult.done("running"));
    rig.loop.advance(ofSeconds(1));

    assertThat(rig.temporal.completions).isEmpty();
  }

  @Test
  void itGoesOnWhenAHeartbeatIsAcknowledgedAgain() {
    rig.start(ofMinutes(30));
    lose();
    rig.seeing(ProbeResult.done("running"));

    rig.temporal.onHeartbeat = null;
    rig.loop.advance(ofSeconds(3));

    assertThat(rig.temporal.completions).containsExactly("running");
  }

  @Test
  void aWakeDoesNotMakeItLookDuringTheSilence() {
    PendingWait<String> wait = rig.start(ofMinutes(30));
    lose();
    int looks = rig.looks.size();

    wait.wake();
    rig.loop.advance(ofMillis(50));

    assertThat(rig.looks).hasSize(looks);
  }

  @Test
  void aDeadlineThatPassesDuringTheSilenceIsJudgedByALookAfterIt() {
    rig.start(ofMinutes(1));
    rig.temporal.onHeartbeat = away;
    rig.loop.advance(ofMinutes(5));
    rig.seeing(ProbeResult.done("running"));

    rig.temporal.onHeartbeat = null;
    rig.loop.advance(ofSeconds(3));

    assertThat(rig.temporal.failures).isEmpty();
    assertThat(rig.temporal.completions).containsExactly("running");
  }

  @Test
  void nothingIsChangedOnceTheWaitIsCancelled() {
    rig.start(ofMinutes(30));
    rig.temporal.onHeartbeat = new ActivityCanceledException();
    rig.loop.advance(ofSeconds(20));

    assertThat(act()).isCompletedExceptionally();
  }
}
