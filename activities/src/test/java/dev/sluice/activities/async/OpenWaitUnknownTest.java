package dev.sluice.activities.async;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.activity.FailureType;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Looks that cannot tell, and the end of a wait's time. */
class OpenWaitUnknownTest {

  private final WaitRig rig = new WaitRig();

  @Test
  void aLookThatCannotTellIsNotAFailure() {
    rig.failing(50, "connection refused").seeing(ProbeResult.done("running"));

    rig.start(ofMinutes(5));
    rig.loop.advance(ofMinutes(2));

    assertThat(rig.temporal.failures).isEmpty();
    assertThat(rig.temporal.completions).containsExactly("running");
  }

  @Test
  void aProbeThatThrowsOrGivesNothingCannotTellEither() {
    ManualLoop loop = new ManualLoop();
    FakeTemporal temporal = new FakeTemporal();
    Supplier<CompletableFuture<ProbeResult<String>>> broken =
        () -> {
          if (loop.now().toMillis() == 0) {
            throw new NullPointerException("a bug");
          }
          return loop.now().toMillis() > 300 ? WaitRig.answer(ProbeResult.done("running")) : null;
        };
    Wait<String> wait = Wait.of("default/orders", "it", ofMinutes(5), broken);
    ActivityTask task =
        new ActivityTask(
            temporal.client(), new byte[] {1}, WaitRig.WAITING, Duration.ZERO, Duration.ZERO);

    new PendingWait<>(
            wait,
            task,
            new WatcherServices(
                loop, new Calls(Runnable::run, loop), WaitReporter.NONE, Runnable::run, () -> 0),
            it -> {})
        .start();
    loop.advance(ofSeconds(5));

    assertThat(temporal.completions).containsExactly("running");
  }

  @Test
  void looksThatCannotTellGetRarer() {
    rig.failing(1000, "connection refused");

    rig.start(ofMinutes(5));
    rig.loop.advance(ofMinutes(2));

    assertThat(rig.looks).hasSizeBetween(60, 80);
  }

  @Test
  void theDeadlineSaysWhatItWaitedForAndWhatWasSeenLast() {
    rig.seeing(ProbeResult.notYet("5 of 8 tasks running")).failing(1000, "connection refused");

    rig.start(ofMinutes(5));
    rig.loop.advance(ofMinutes(5));

    assertThat(rig.temporal.failures)
        .singleElement()
        .satisfies(
            failure -> {
              assertThat(failure.getType()).isEqualTo(FailureType.TIMED_OUT);
              assertThat(failure.isNonRetryable()).isTrue();
              assertThat(failure.getOriginalMessage())
                  .startsWith(
                      "waited 5m for all tasks of default/orders to run; last seen: "
                          + "5 of 8 tasks running; no answer ")
                  .endsWith(" times since: connection refused");
            });
  }

  @Test
  void theDeadlineCountsFromTheFirstAttemptOfTheActivity() {
    rig.spent(ofMinutes(4));

    rig.start(ofMinutes(5));
    rig.loop.advance(ofSeconds(59));
    assertThat(rig.temporal.failures).isEmpty();
    rig.loop.advance(ofSeconds(1));

    assertThat(rig.temporal.failures).hasSize(1);
  }

  @Test
  void anAttemptThatComesTooLateStillLooksOnce() {
    rig.spent(ofMinutes(60)).seeing(ProbeResult.done("running"));

    rig.start(ofMinutes(5));
    rig.loop.advance(ofSeconds(1));

    assertThat(rig.temporal.completions).containsExactly("running");
  }

  @Test
  void theLastLookDecidesWhenItIsUnderWayAtTheDeadline() {
    CompletableFuture<ProbeResult<String>> slow = new CompletableFuture<>();
    rig.looking(slow);

    rig.start(ofSeconds(5));
    rig.loop.advance(ofSeconds(6));
    slow.complete(ProbeResult.done("running"));
    rig.loop.settle();

    assertThat(rig.temporal.completions).containsExactly("running");
    assertThat(rig.temporal.failures).isEmpty();
  }

  @Test
  void aLookThatNeverEndsDoesNotOutliveTheDeadlineByMoreThanItsOwnTimeout() {
    rig.looking(new CompletableFuture<>());

    rig.start(ofSeconds(5));
    rig.loop.advance(WaitRig.POLLING.probeTimeout());

    assertThat(rig.temporal.failures).hasSize(1);
  }
}
