package dev.sluice.activities.job;

import static dev.sluice.activities.support.FakeFlink.JOB;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.JobType;
import dev.sluice.activities.support.FakeClusters;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Jobs;
import dev.sluice.activities.support.Pods;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.StableAfter;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.JobActivities.AwaitStableRequest;
import dev.sluice.workflows.activity.JobActivities.StableJob;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StabilityCheckTest {

  private static final Duration START = ofMinutes(5);
  private static final StableAfter TWO_MINUTES = new StableAfter(120_000);

  private final TestClock clock = new TestClock();
  private final FakeFlink flink = new FakeFlink();
  private final FakeClusters clusters = FakeClusters.running();
  private Instant up = clock.instant();
  private Optional<StableAfter> live = Optional.empty();
  private boolean apiServerUp = true;

  @BeforeEach
  void aJobThatCameUpJustNow() {
    clusters.both(Pods.running(Pods.taskManager()));
    isUp();
  }

  @Test
  void itIsStableWhenTheTimeIsOver() {
    Waiting wait = wait(TWO_MINUTES);

    after(ofSeconds(119));
    assertThat(look(wait)).isInstanceOf(ProbeResult.NotYet.class);
    after(ofSeconds(1));

    assertThat(look(wait)).isEqualTo(stable("2 min without a restart"));
  }

  @Test
  void aRestartThatNobodySawBeginsTheTimeAnew() {
    Waiting wait = wait(TWO_MINUTES);
    after(ofSeconds(100));
    up = clock.instant();

    after(ofSeconds(119));

    assertThat(look(wait)).isInstanceOf(ProbeResult.NotYet.class);
  }

  /** Neither the worker's clock nor when it took over counts. */
  @Test
  void anotherWorkerGoesByTheTimesOfFlink() {
    Instant now = clock.instant().plus(ofMinutes(100));
    flink.unchangedSince(now.minus(ofMinutes(2)), now);

    assertThat(look(wait(TWO_MINUTES))).isInstanceOf(ProbeResult.Done.class);

    flink.unchangedSince(now.minus(ofSeconds(119)), now);
    assertThat(look(wait(TWO_MINUTES))).isInstanceOf(ProbeResult.NotYet.class);
  }

  @Test
  void aJobThatHasFinishedIsStable() {
    flink.job(FlinkJobState.FINISHED, 0);

    assertThat(look(wait(TWO_MINUTES))).isEqualTo(stable("it has finished"));
  }

  @Test
  void aBatchJobIsStableOnceItIsUp() {
    flink.type(JobType.BATCH);

    assertThat(look(wait(TWO_MINUTES))).isEqualTo(stable("it is a batch job"));
  }

  @Test
  void whoAsksForLessEndsTheWait() {
    Waiting wait = wait(TWO_MINUTES);
    look(wait);
    live = Optional.of(StableAfter.NONE);

    after(ofSeconds(10));

    assertThat(look(wait)).isEqualTo(stable("nothing more is asked for"));
  }

  @Test
  void whoAsksForMoreHasThePatienceForIt() {
    live = Optional.of(new StableAfter(ofMinutes(60).toMillis()));
    Waiting wait = wait(TWO_MINUTES);
    for (int minute = 0; minute < 59; minute++) {
      assertThat(look(wait)).isInstanceOf(ProbeResult.NotYet.class);
      after(ofMinutes(1));
    }

    after(ofMinutes(1));

    assertThat(look(wait)).isInstanceOf(ProbeResult.Done.class);
    assertThat(wait.check().extensionMs()).isPositive();
  }

  @Test
  void whatCannotBeReadLeavesWhatWasAskedFor() {
    apiServerUp = false;
    Waiting wait = wait(TWO_MINUTES);
    assertThat(look(wait)).isInstanceOf(ProbeResult.NotYet.class);

    after(ofMinutes(2));

    assertThat(look(wait)).isInstanceOf(ProbeResult.Done.class);
  }

  /** Twice the time, and as long as a start may take. */
  @Test
  void aJobThatKeepsRestartingIsGivenUpAndTellsWhy() {
    Waiting wait = wait(TWO_MINUTES);
    flink.failedWith("no slots");
    for (int minute = 0; minute < 9; minute++) {
      assertThat(look(wait)).isInstanceOf(ProbeResult.NotYet.class);
      after(ofMinutes(1));
      up = clock.instant();
      isUp();
    }

    assertThat(look(wait))
        .isEqualTo(
            ProbeResult.failed(
                FailureType.NOT_STABLE,
                "Job "
                    + JOB
                    + " is not stable in time: waiting until stable: 0 s of 2 min without a"
                    + " restart. Newest exception: IllegalStateException: no slots"));
  }

  @ParameterizedTest
  @CsvSource({"119", "1"})
  void oneRestartIsForgiven(int secondsAfterItsStart) {
    Waiting wait = wait(TWO_MINUTES);
    after(ofSeconds(secondsAfterItsStart));
    look(wait);
    up = clock.instant();

    after(ofMinutes(2));

    assertThat(look(wait)).isInstanceOf(ProbeResult.Done.class);
  }

  @Test
  void aJobThatBecameStableInTheLastMomentIsNotGivenUp() {
    Waiting wait = wait(TWO_MINUTES);

    after(ofMinutes(60));

    assertThat(look(wait)).isInstanceOf(ProbeResult.Done.class);
  }

  /** By Flink's own times it may be stable for long. */
  @Test
  void aJobThatWasQuietDuringASilenceIsStableOnceFlinkAnswers() {
    Waiting wait = wait(TWO_MINUTES);
    silent(wait, ofMinutes(4));

    answersAgain();

    assertThat(look(wait)).isEqualTo(stable("2 min without a restart"));
  }

  @Test
  void aSilenceBeginsThePatienceAnew() {
    Waiting wait = wait(TWO_MINUTES);
    after(ofMinutes(8));
    silent(wait, ofMinutes(4));
    for (int minute = 0; minute < 8; minute++) {
      up = clock.instant();
      answersAgain();
      assertThat(look(wait)).isInstanceOf(ProbeResult.NotYet.class);
      clock.advance(ofMinutes(1));
    }
    up = clock.instant();
    isUp();
    assertThat(type(look(wait))).isEqualTo(FailureType.NOT_STABLE);
  }

  /** The run reports it and waits on: nothing is known against the job. */
  @Test
  void aSilenceThatIsAsLongAsAStartMayTakeIsReported() {
    Waiting wait = wait(TWO_MINUTES);
    look(wait);
    silent(wait, START);

    assertThat(type(look(wait))).isEqualTo(FailureType.JOB_MANAGER_SILENT);
  }

  private void isUp() {
    flink.running().unchangedSince(up, clock.instant());
  }

  private void after(Duration time) {
    clock.advance(time);
    flink.unchangedSince(up, clock.instant());
  }

  private Waiting wait(StableAfter wanted) {
    long patience = AwaitStableRequest.patienceMs(wanted, START.toMillis());
    long deadlineMs = clock.in(Duration.ofMillis(patience));
    JobTarget target = new JobTarget(Jobs.cluster(Map.of()), JOB, FlinkConfiguration.empty());
    StabilityCheck check =
        new StabilityCheck(
            new AwaitStableRequest(Jobs.RESOURCE, Jobs.JOB, wanted, START.toMillis(), deadlineMs),
            target,
            clock,
            flink,
            () -> {
              if (!apiServerUp) {
                throw new IllegalStateException("away");
              }
              return live;
            });
    return new Waiting(
        new JobUpWait<>(Jobs.JOB, target, clusters.access(clock), flink, check), check, deadlineMs);
  }

  private record Waiting(JobUpWait<StableJob> job, StabilityCheck check, long deadlineMs) {}

  /** Time without an answer. */
  private void silent(Waiting wait, Duration time) {
    flink.up(false);
    for (long minute = 0; minute < time.toMinutes(); minute++) {
      assertThat(words(look(wait))).startsWith("the JobManager does not answer");
      assertThat(clock.millis())
          .as("the loop that looks has time left")
          .isLessThan(wait.deadlineMs() + wait.check().extensionMs());
      clock.advance(ofMinutes(1));
    }
  }

  private void answersAgain() {
    flink.up(true);
    isUp();
  }

  private static ProbeResult<StableJob> stable(String why) {
    return ProbeResult.done(new StableJob(JOB, why));
  }

  private static ProbeResult<StableJob> look(Waiting wait) {
    return wait.job().look();
  }

  private static String words(ProbeResult<StableJob> outcome) {
    assertThat(outcome).isInstanceOf(ProbeResult.NotYet.class);
    return ((ProbeResult.NotYet<StableJob>) outcome).progress();
  }

  private static String type(ProbeResult<StableJob> outcome) {
    assertThat(outcome).isInstanceOf(ProbeResult.Failed.class);
    return ((ProbeResult.Failed<StableJob>) outcome).type();
  }
}
