package dev.sluice.activities.async;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A wait that queues: the next attempt must not believe so after something was changed. */
class UntouchedWaitTest {

  private final AtomicInteger effects = new AtomicInteger();
  private boolean queues = true;
  private final WaitRig rig =
      new WaitRig()
          .acting()
          .with(wait -> wait.untouchedWhile(() -> queues))
          .seeing(ProbeResult.notYet("queued"));

  private CompletableFuture<Integer> act() {
    return rig.guard.act(() -> CompletableFuture.completedFuture(effects.incrementAndGet()));
  }

  private WaitHeartbeat last() {
    return rig.temporal.details.get(rig.temporal.details.size() - 1);
  }

  @Test
  void theNextAttemptLearnsThatItOnlyQueued() {
    rig.start(ofMinutes(30));
    rig.loop.advance(ofSeconds(30));

    assertThat(last().untouched()).isTrue();
  }

  @Test
  void nothingIsChangedBeforeTemporalKnowsThatItQueuesNoMore() {
    rig.start(ofMinutes(30));
    rig.loop.advance(ofSeconds(30));
    queues = false;

    assertThat(act()).isCompletedExceptionally();
    assertThat(effects).hasValue(0);
  }

  @Test
  void aLookThatMayNotActYetTellsTemporalAndComesAgainAtOnce() {
    rig.start(ofMinutes(30));
    rig.loop.advance(ofSeconds(30));
    queues = false;
    rig.failing(1, new ActGuard.NotLeasedException());
    rig.loop.advance(ofSeconds(2).plusMillis(50));

    assertThat(last().untouched()).isFalse();
    int looks = rig.looks.size();
    assertThat(rig.looks.get(looks - 1).minus(rig.looks.get(looks - 2)))
        .isLessThanOrEqualTo(ofMillis(10));
    act();
    assertThat(effects).hasValue(1);
  }

  @Test
  void aHeartbeatWhoseAnswerIsLostMayHaveArrived() {
    queues = false;
    rig.start(ofMinutes(30));
    queues = true;
    rig.temporal.onHeartbeat = new IllegalStateException("no answer");
    rig.loop.advance(ofSeconds(21));
    queues = false;

    assertThat(act()).isCompletedExceptionally();
    assertThat(effects).hasValue(0);
  }

  @Test
  void oneThatIsUnderWayIsFollowedByOneThatTellsOtherwise() {
    Deque<Runnable> calls = new ArrayDeque<>();
    rig.calling(calls::add).start(ofMinutes(30));
    queues = false;
    rig.failing(1, new ActGuard.NotLeasedException());
    rig.loop.advance(ofSeconds(3));

    calls.remove().run();
    rig.loop.settle();
    assertThat(act()).as("Temporal was told that it queues").isCompletedExceptionally();
    calls.remove().run();
    rig.loop.settle();
    act();

    assertThat(last().untouched()).isFalse();
    assertThat(effects).hasValue(1);
  }

  @Test
  void withoutAQueueNoHeartbeatIsAdded() {
    queues = false;
    rig.start(ofMinutes(30));

    act();

    assertThat(effects).hasValue(1);
    assertThat(rig.temporal.details).hasSize(1);
  }
}
