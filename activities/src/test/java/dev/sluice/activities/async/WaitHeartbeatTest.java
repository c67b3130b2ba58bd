package dev.sluice.activities.async;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.temporal.client.ActivityCanceledException;
import io.temporal.client.ActivityNotExistsException;
import io.temporal.client.ActivityPausedException;
import io.temporal.client.ActivityResetException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Heartbeats of a wait, and what it does not do without them. */
class WaitHeartbeatTest {

  /** Gives no look up. */
  private static final Polling PATIENT =
      new Polling(ofMillis(100), ofSeconds(1), 10, ofSeconds(2), ofMinutes(10));

  private final AtomicInteger effects = new AtomicInteger();
  private final WaitRig rig = new WaitRig();

  private void act() {
    if (rig.guard.mayAct()) {
      effects.incrementAndGet();
    }
  }

  private WaitHeartbeat lastDetails() {
    return rig.details.get(rig.details.size() - 1);
  }

  @Test
  void theyAreSentBeforeTwoThirdsOfTheTimeout() {
    rig.seeing(ProbeResult.notYet("5 of 8")).runUntil(ofMinutes(2));

    assertThat(rig.beats.get(0)).isEqualTo(WaitLoop.NEWS);
    for (int i = 1; i < rig.beats.size(); i++) {
      assertThat(rig.beats.get(i).minus(rig.beats.get(i - 1)))
          .isBetween(ofSeconds(17), ofSeconds(20));
    }
    assertThat(lastDetails().progress()).isEqualTo("5 of 8");
  }

  @Test
  void aSlowLookDoesNotDelayThem() {
    rig.looking(ofMinutes(9), ProbeResult.done("up")).with(wait -> wait.polling(PATIENT));

    rig.runUntil(ofMinutes(2));

    assertThat(rig.beats).hasSizeGreaterThanOrEqualTo(5);
  }

  @Test
  void newsIsShownAfterFiveSeconds() {
    for (int i = 1; i < 200; i++) {
      rig.seeing(ProbeResult.notYet(i + " of 200"));
    }

    rig.runUntil(ofSeconds(12));

    assertThat(rig.beats).hasSize(2);
  }

  @Test
  void aShortWaitThatOnlyLooksNeedsNone() {
    rig.seeing(ProbeResult.notYet("5 of 8"), ProbeResult.done("up")).run(ofMinutes(5));

    assertThat(rig.beats).isEmpty();
  }

  @Test
  void oneThatActsBeginsWithOne() {
    rig.acting().onLook(this::act).seeing(ProbeResult.done("up")).run(ofMinutes(5));

    assertThat(rig.beats).containsExactly(Duration.ZERO);
    assertThat(effects).hasValue(1);
  }

  @Test
  void nothingIsChangedBeforeTheFirstIsAcknowledged() {
    rig.onHeartbeat = new IllegalStateException("UNAVAILABLE");
    rig.acting().onLook(this::act).runUntil(ofSeconds(20));

    assertThat(rig.looks).hasSizeGreaterThan(1);
    assertThat(effects).hasValue(0);
  }

  static Stream<RuntimeException> ends() {
    return Stream.of(new ActivityCanceledException(), new ActivityNotExistsException("gone", null));
  }

  @ParameterizedTest
  @MethodSource("ends")
  void anAnswerThatTheActivityIsOverEndsIt(RuntimeException answer) {
    rig.onHeartbeat = answer;
    rig.seeing(ProbeResult.notYet("1")).looking(ofMinutes(9), ProbeResult.done("up"));
    rig.run(ofMinutes(5));

    assertThat(rig.thrown).isSameAs(answer);
    assertThat(rig.time.now()).isLessThanOrEqualTo(ofSeconds(20));
    assertThat(rig.guard.mayAct()).isFalse();
  }

  static Stream<RuntimeException> interruptions() {
    return Stream.of(new ActivityPausedException(), new ActivityResetException());
  }

  @ParameterizedTest
  @MethodSource("interruptions")
  void aPauseOrResetFailsItRetryably(RuntimeException answer) {
    rig.onHeartbeat = answer;
    rig.run(ofMinutes(5));

    assertThat(rig.failure().getType()).isEqualTo(Watcher.INTERRUPTED);
    assertThat(rig.failure().isNonRetryable()).isFalse();
  }

  @Test
  void withoutThemItStopsLookingAndActingBeforeTheTimeout() {
    rig.acting().onLook(this::act).away(ofMillis(1), ofMinutes(5)).runUntil(ofMinutes(4));

    assertThat(rig.looks.get(rig.looks.size() - 1))
        .isLessThan(WaitRig.HEARTBEAT_TIMEOUT.minus(ofSeconds(5)));
    assertThat(effects).hasValue(rig.looks.size());
  }

  @Test
  void anEffectOfALookThatBeganBeforeTheSilenceIsNotStarted() {
    rig.acting()
        .onLook(this::act)
        .with(wait -> wait.polling(PATIENT))
        .looking(ofSeconds(29), ProbeResult.done("up"))
        .away(ofMillis(1), ofMinutes(5));

    rig.runUntil(ofMinutes(1));

    assertThat(effects).hasValue(0);
  }

  @Test
  void aResultOfTheSilenceIsNotClaimed() {
    rig.acting()
        .with(wait -> wait.polling(PATIENT))
        .looking(ofSeconds(40), ProbeResult.done("seen in the silence"))
        .seeing(ProbeResult.done("seen after it"))
        .away(ofMillis(1), ofMinutes(2));

    rig.run(ofMinutes(5));

    assertThat(rig.result).isEqualTo("seen after it");
    assertThat(rig.looks.get(1)).isBetween(ofMinutes(2), ofMinutes(2).plusSeconds(3));
  }

  @Test
  void aDeadlineInTheSilenceIsJudgedByALookAfterIt() {
    rig.acting().seeing(ProbeResult.notYet("5 of 8")).away(ofMillis(1), ofMinutes(5));
    rig.time.at(ofMinutes(4), () -> rig.seeing(ProbeResult.done("running")));

    rig.run(ofMinutes(1));

    assertThat(rig.result).isEqualTo("running");
    assertThat(rig.time.now()).isBetween(ofMinutes(5), ofMinutes(5).plusSeconds(3));
  }
}
