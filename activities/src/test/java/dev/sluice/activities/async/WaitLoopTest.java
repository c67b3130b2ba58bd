package dev.sluice.activities.async;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.support.Jobs;
import dev.sluice.workflows.activity.FailureType;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** When a wait looks, how it ends, and what it reports. */
class WaitLoopTest {

  private final WaitRig rig = new WaitRig();

  private Duration lastGap() {
    int looks = rig.looks.size();
    return rig.looks.get(looks - 1).minus(rig.looks.get(looks - 2));
  }

  @Test
  void theFirstLookThatIsDoneEndsIt() {
    rig.seeing(
        ProbeResult.notYet("4 of 8"), ProbeResult.notYet("8 of 8"), ProbeResult.done("running"));

    rig.run(ofMinutes(5));

    assertThat(rig.result).isEqualTo("running");
    assertThat(rig.looks).containsExactly(ofMillis(0), ofMillis(100), ofMillis(200));
  }

  @Test
  void aFailedLookFailsTheActivityWithItsType() {
    rig.seeing(ProbeResult.failed("JobFailed", "out of memory")).run(ofMinutes(5));

    assertThat(rig.failure().getType()).isEqualTo("JobFailed");
    assertThat(rig.failure().getOriginalMessage()).isEqualTo("out of memory");
    assertThat(rig.failure().isNonRetryable()).isTrue();
  }

  @Test
  void aLookMayFailTheActivityRetryably() {
    rig.seeing(ProbeResult.retry("Lost", "the trigger is lost")).run(ofMinutes(5));

    assertThat(rig.failure().isNonRetryable()).isFalse();
  }

  @Test
  void looksAreRarerWhileNothingChanges() {
    rig.seeing(ProbeResult.notYet("4 of 8")).runUntil(ofMinutes(1));

    assertThat(lastGap()).isEqualTo(WaitRig.POLLING.idle());
  }

  @Test
  void aChangeIsFollowedByAQuickLook() {
    ProbeResult<String> same = ProbeResult.notYet("4 of 8");
    rig.seeing(same, same, same, ProbeResult.notYet("5 of 8"), ProbeResult.done("running"));

    rig.run(ofMinutes(5));

    assertThat(lastGap()).isEqualTo(WaitRig.POLLING.quickest());
  }

  @Test
  void aWakeEndsThePause() {
    rig.time.at(ofSeconds(60), () -> rig.loop().wake());

    rig.runUntil(ofSeconds(60).plusMillis(50));

    assertThat(rig.looks.get(rig.looks.size() - 1)).isEqualTo(ofSeconds(60));
    assertThat(rig.looks.get(rig.looks.size() - 2)).isLessThan(ofSeconds(60));
  }

  @Test
  void aWakeDuringALookIsFollowedByAnother() {
    rig.looking(ofMillis(700), ProbeResult.notYet("4 of 8")).seeing(ProbeResult.done("running"));
    rig.time.at(ofMillis(500), () -> rig.loop().wake());

    rig.run(ofMinutes(5));

    assertThat(rig.looks).containsExactly(ofMillis(0), ofMillis(700));
  }

  @Test
  void aLookThatTakesTooLongIsGivenUp() {
    rig.looking(ofMinutes(2), ProbeResult.done("too late")).seeing(ProbeResult.done("running"));

    rig.run(ofMinutes(5));

    assertThat(rig.result).isEqualTo("running");
    assertThat(rig.looks.get(1)).isBetween(ofSeconds(15), ofSeconds(16));
  }

  @Test
  void aLongLookIsGivenUpAtTheEndOfTheWait() {
    rig.with(wait -> wait.polling(WaitRig.POLLING.withLongLooks()))
        .looking(ofMinutes(9), ProbeResult.done("too late"));

    rig.run(ofMinutes(5));

    assertThat(rig.failure().getType()).isEqualTo(FailureType.TIMED_OUT);
    assertThat(rig.time.now()).isEqualTo(ofMinutes(5));
  }

  @Test
  void looksThatCannotTellAreNoFailure() {
    rig.failing(50, new IllegalStateException("connection refused"))
        .seeing(ProbeResult.done("running"))
        .onLook(
            () -> {
              if (rig.looks.size() == 1) {
                throw new NullPointerException("a bug of the probe");
              }
            });

    rig.run(ofMinutes(5));

    assertThat(rig.result).isEqualTo("running");
  }

  @Test
  void aFailureOfALookThatIsNotRetryableIsOne() {
    rig.failing(1, ApplicationFailure.newNonRetryableFailure("no such job", "Outdated"));

    rig.run(ofMinutes(5));

    assertThat(rig.failure().getType()).isEqualTo("Outdated");
  }

  @Test
  void theDeadlineSaysWhatWasSeenLast() {
    rig.seeing(ProbeResult.notYet("5 of 8 tasks running"))
        .failing(1000, new IllegalStateException("connection refused"));

    rig.run(ofMinutes(5));

    assertThat(rig.failure().getType()).isEqualTo(FailureType.TIMED_OUT);
    assertThat(rig.failure().isNonRetryable()).isTrue();
    assertThat(rig.failure().getOriginalMessage())
        .startsWith(
            "waited 5m for all tasks of default/orders to run; last seen: "
                + "5 of 8 tasks running; no answer ")
        .endsWith(" times since: connection refused");
    assertThat(rig.time.now()).isEqualTo(ofMinutes(5));
  }

  @Test
  void theDeadlineCountsEarlierAttempts() {
    rig.spent(ofMinutes(4)).run(ofMinutes(5));

    assertThat(rig.failure().getType()).isEqualTo(FailureType.TIMED_OUT);
    assertThat(rig.time.now()).isEqualTo(ofMinutes(1));
  }

  @Test
  void anAttemptThatComesTooLateLooksOnce() {
    rig.spent(ofMinutes(60)).seeing(ProbeResult.done("running")).run(ofMinutes(5));

    assertThat(rig.result).isEqualTo("running");
  }

  @Test
  void theLastLookIsAtTheDeadline() {
    rig.seeing(ProbeResult.notYet("5 of 8"));
    rig.time.at(ofMinutes(5).minusMillis(1), () -> rig.seeing(ProbeResult.done("running")));

    rig.run(ofMinutes(5));

    assertThat(rig.result).isEqualTo("running");
    assertThat(rig.time.now()).isEqualTo(ofMinutes(5));
  }

  @Test
  void aLookUnderWayAtTheDeadlineDecides() {
    rig.looking(ofSeconds(6), ProbeResult.done("running")).run(ofSeconds(5));

    assertThat(rig.result).isEqualTo("running");
  }

  @Test
  void theDeadlineIsLaterByTheExtension() {
    AtomicLong extension = new AtomicLong();
    rig.with(wait -> wait.extendedBy(extension::get)).seeing(ProbeResult.notYet("queued"));
    rig.time.at(ofMinutes(4), () -> extension.set(ofMinutes(3).toMillis()));

    rig.run(ofMinutes(5));

    assertThat(rig.time.now()).isEqualTo(ofMinutes(8));
    assertThat(rig.details.get(rig.details.size() - 1).extendedMs())
        .isEqualTo(ofMinutes(3).toMillis());
  }

  private static ApplicationFailure refusal() {
    return ApplicationFailure.newFailure("pods is forbidden", FailureType.REFUSED);
  }

  @Test
  void halfAMinuteOfRefusalsFailsIt() {
    rig.failing(1_000, refusal()).run(ofMinutes(5));

    assertThat(rig.failure().getType()).isEqualTo(FailureType.REFUSED);
    assertThat(rig.failure().isNonRetryable()).isTrue();
    assertThat(rig.failure().getOriginalMessage())
        .isEqualTo("waiting for all tasks of default/orders to run: pods is forbidden");
    assertThat(rig.time.now()).isBetween(ofSeconds(30), ofSeconds(32));
  }

  @Test
  void refusalsThatPassDoNot() {
    rig.failing(3, refusal()).seeing(ProbeResult.notYet("2 of 4")).runUntil(ofMinutes(4));

    assertThat(rig.failure().getType()).isEqualTo(Watcher.HANDED_OVER);
  }

  @Test
  void aStoppingWorkerEndsItRetryably() {
    rig.looking(ofSeconds(9), ProbeResult.done("up")).runUntil(ofSeconds(1));

    assertThat(rig.failure().getType()).isEqualTo(Watcher.HANDED_OVER);
    assertThat(rig.failure().isNonRetryable()).isFalse();
    assertThat(rig.time.now()).isEqualTo(ofSeconds(1));
  }

  @Test
  void aWaitOfTenSecondsIsReportedOnce() {
    List<String> told = new ArrayList<>();
    List<Duration> when = new ArrayList<>();
    rig.with(wait -> wait.reportingTo(Jobs.RESOURCE))
        .reporting(
            (resource, waiting, text) -> {
              when.add(rig.time.now());
              told.add(resource.display() + " " + waiting.runId() + ": " + text);
            })
        .seeing(ProbeResult.notYet("5 of 8"));

    rig.runUntil(ofMinutes(1));

    assertThat(told).containsExactly("default/orders run-1: 5 of 8");
    assertThat(when.get(0)).isBetween(ofSeconds(10), ofSeconds(12));
  }

  @Test
  void changesAreReportedEveryFifteenSeconds() {
    List<Duration> told = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      rig.seeing(ProbeResult.notYet("look " + i));
    }
    rig.with(wait -> wait.reportingTo(Jobs.RESOURCE))
        .reporting((resource, waiting, text) -> told.add(rig.time.now()));

    rig.runUntil(ofSeconds(61));

    assertThat(told).hasSize(4);
  }

  @Test
  void earlierAttemptsCountAndAFailingReporterDoesNoHarm() {
    List<Duration> told = new ArrayList<>();
    rig.spent(ofSeconds(10))
        .with(wait -> wait.reportingTo(Jobs.RESOURCE))
        .reporting(
            (resource, waiting, text) -> {
              told.add(rig.time.now());
              throw new IllegalStateException("API server away");
            })
        .seeing(ProbeResult.notYet("5 of 8"), ProbeResult.done("up"));

    rig.run(ofMinutes(5));

    assertThat(told).containsExactly(Duration.ZERO);
    assertThat(rig.result).isEqualTo("up");
  }
}
