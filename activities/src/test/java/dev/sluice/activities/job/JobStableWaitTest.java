package dev.sluice.activities.job;

import static dev.sluice.activities.support.FakeFlink.JOB;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.Checkpoints;
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
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobStableWaitTest {

  private static final Duration START = ofMinutes(5);
  private static final StableAfter TWO_MINUTES = new StableAfter(120_000, 0, true);
  private static final StableAfter THREE_CHECKPOINTS = new StableAfter(0, 3, false);
  private static final StableAfter BOTH = new StableAfter(120_000, 3, false);

  private final TestClock clock = new TestClock();
  private final FakeFlink flink = new FakeFlink();
  private final FakeClusters clusters = FakeClusters.running();
  private Instant up = clock.instant();
  private Optional<StableAfter> live = Optional.empty();
  private boolean apiServerUp = true;

  @BeforeEach
  void aJobThatCameUpJustNow() {
    clusters.both(Pods.running(Pods.taskManager()));
    flink.checkpointing(ofSeconds(10), ofMinutes(10));
    completed(0);
    isUp();
  }

  @Test
  void itIsStableWhenTheTimeIsOver() {
    JobStableWait wait = wait(TWO_MINUTES);

    after(ofSeconds(119));
    assertThat(look(wait)).isInstanceOf(ProbeResult.NotYet.class);
    after(ofSeconds(1));

    assertThat(look(wait)).isEqualTo(stable("2 min without a restart"));
  }

  @Test
  void itIsStableWhenTheCheckpointsAreCompleted() {
    JobStableWait wait = wait(THREE_CHECKPOINTS);
    completed(2);
    assertThat(words(look(wait))).isEqualTo("waiting until stable: 2 of 3 checkpoints");

    completed(3);
    after(ofSeconds(3));

    assertThat(look(wait)).isEqualTo(stable("3 checkpoints"));
  }

  @Test
  void bothAreNeededWhereBothAreAskedFor() {
    JobStableWait wait = wait(BOTH);
    completed(4);
    after(ofSeconds(50));

    assertThat(words(look(wait)))
        .isEqualTo("waiting until stable: 3 of 3 checkpoints, 48 s of 2 min without a restart");
    after(ofSeconds(70));

    assertThat(look(wait)).isEqualTo(stable("4 checkpoints, 2 min without a restart"));
  }

  /** What is written into the status is not to change at each look. */
  @Test
  void theWordsChangeTenTimesAtMost() {
    JobStableWait wait = wait(new StableAfter(ofMinutes(60).toMillis(), 0, false));

    long words =
        IntStream.range(0, 3_599)
            .mapToObj(
                second -> {
                  after(ofSeconds(1));
                  return words(look(wait));
                })
            .distinct()
            .count();

    assertThat(words).isEqualTo(10);
  }

  @Test
  void aRestartThatNobodySawBeginsTheTimeAnew() {
    JobStableWait wait = wait(TWO_MINUTES);
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
  void anotherJobManagerBeginsTheCheckpointsAnew() {
    JobStableWait wait = wait(THREE_CHECKPOINTS);
    completed(2);
    look(wait);

    flink.restarted(clock.instant());
    completed(1);
    isUp();
    after(ofSeconds(4));

    assertThat(words(look(wait))).isEqualTo("waiting until stable: 1 of 3 checkpoints");
  }

  @Test
  void aJobThatRestartsIsNotStable() {
    JobStableWait wait = wait(TWO_MINUTES);
    flink.job(FlinkJobState.RESTARTING, 0);

    assertThat(words(look(wait))).startsWith("job is RESTARTING");
  }

  @Test
  void aJobThatHasFinishedIsStable() {
    flink.job(FlinkJobState.FINISHED, 0);

    assertThat(look(wait(BOTH))).isEqualTo(stable("it has finished"));
  }

  @Test
  void aBatchJobIsStableOnceItIsUp() {
    flink.type(JobType.BATCH).withoutCheckpointing();

    assertThat(look(wait(BOTH))).isEqualTo(stable("it is a batch job"));
  }

  @Test
  void aJobThatFailsTellsWhy() {
    flink.job(FlinkJobState.FAILED, 0).failedWith("on purpose");

    assertThat(look(wait(TWO_MINUTES)))
        .isEqualTo(
            ProbeResult.failed(
                FailureType.JOB_FAILED,
                "Job " + JOB + " failed: IllegalStateException: on purpose"));
  }

  @Test
  void aPodThatKeepsCrashingEndsTheWait() {
    clusters.both(Pods.waiting(Pods.taskManager(), "CreateContainerConfigError", "no secret", 0));
    JobStableWait wait = wait(TWO_MINUTES);
    look(wait);
    after(ofSeconds(11));

    assertThat(type(look(wait))).isEqualTo(FailureType.POD_FAILED);
  }

  @Test
  void aJobThatTakesNoCheckpointsSaysWhatToDo() {
    flink.withoutCheckpointing();

    assertThat(look(wait(THREE_CHECKPOINTS)))
        .isEqualTo(
            ProbeResult.failed(
                FailureType.NO_CHECKPOINTS,
                "Job "
                    + JOB
                    + " takes no checkpoints by itself, so it never completes the 3 that"
                    + " sluice.dev/stable-after-checkpoints asks for. Remove that annotation and"
                    + " set sluice.dev/retry, or set execution.checkpointing.interval."));
  }

  @Test
  void theOperatorsDefaultDoesNotHoldForAJobThatTakesNoCheckpoints() {
    flink.withoutCheckpointing();
    JobStableWait wait = wait(new StableAfter(120_000, 3, true));
    assertThat(words(look(wait))).isEqualTo("waiting until stable: 0 s of 2 min without a restart");

    after(ofMinutes(2));

    assertThat(look(wait)).isInstanceOf(ProbeResult.Done.class);
  }

  @Test
  void whoAsksForLessEndsTheWait() {
    JobStableWait wait = wait(BOTH);
    look(wait);
    live = Optional.of(StableAfter.NONE);

    after(ofSeconds(10));

    assertThat(look(wait)).isEqualTo(stable("nothing more is asked for"));
  }

  @Test
  void whoAsksForMoreHasThePatienceForIt() {
    live = Optional.of(new StableAfter(ofMinutes(60).toMillis(), 0, false));
    JobStableWait wait = wait(TWO_MINUTES);
    for (int minute = 0; minute < 59; minute++) {
      assertThat(look(wait)).isInstanceOf(ProbeResult.NotYet.class);
      after(ofMinutes(1));
    }

    after(ofMinutes(1));

    assertThat(look(wait)).isInstanceOf(ProbeResult.Done.class);
    assertThat(wait.extensionMs()).isPositive();
  }

  @Test
  void whoAsksForNoCheckpointsAnyMoreHasNoLimitForThem() {
    JobStableWait wait = wait(BOTH);
    look(wait);
    live = Optional.of(new StableAfter(ofMinutes(100).toMillis(), 0, false));
    after(ofSeconds(10));
    look(wait);

    assertThat(wait.extensionMs()).isGreaterThan(ofMinutes(100).toMillis());
  }

  @Test
  void whatCannotBeReadLeavesWhatWasAskedFor() {
    apiServerUp = false;
    JobStableWait wait = wait(TWO_MINUTES);
    assertThat(look(wait)).isInstanceOf(ProbeResult.NotYet.class);

    after(ofMinutes(2));

    assertThat(look(wait)).isInstanceOf(ProbeResult.Done.class);
  }

  /** Twice the time, and as long as a start may take. */
  @Test
  void aJobThatKeepsRestartingIsGivenUpAndTellsWhy() {
    JobStableWait wait = wait(TWO_MINUTES);
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
    JobStableWait wait = wait(TWO_MINUTES);
    after(ofSeconds(secondsAfterItsStart));
    look(wait);
    up = clock.instant();

    after(ofMinutes(2));

    assertThat(look(wait)).isInstanceOf(ProbeResult.Done.class);
  }

  /** 3 x (10 s + 10 min), and the patience of 5 min. */
  @Test
  void checkpointsMayTakeAsLongAsFlinkLetsThem() {
    JobStableWait wait = wait(THREE_CHECKPOINTS);
    for (int minute = 0; minute <= 35; minute++) {
      assertThat(look(wait)).isInstanceOf(ProbeResult.NotYet.class);
      after(ofMinutes(1));
    }

    assertThat(type(look(wait))).isEqualTo(FailureType.NOT_STABLE);
  }

  /**
   * A checkpoint may take 10 min, but not one of a job that is started again each minute. With a
   * time without a restart that is given twice, and with or without as long as a start may take.
   */
  @ParameterizedTest
  @CsvSource({"120000, 9", "0, 5"})
  void aJobThatKeepsRestartingIsNotGivenTheTimeOfItsCheckpoints(long quietMs, int minutes) {
    JobStableWait wait = wait(new StableAfter(quietMs, 3, false));
    for (int minute = 0; minute < minutes; minute++) {
      assertThat(look(wait)).isInstanceOf(ProbeResult.NotYet.class);
      after(ofMinutes(1));
      up = clock.instant();
      isUp();
    }

    assertThat(type(look(wait))).isEqualTo(FailureType.NOT_STABLE);
  }

  @Test
  void aJobThatBecameStableInTheLastMomentIsNotGivenUp() {
    JobStableWait wait = wait(TWO_MINUTES);

    after(ofMinutes(60));

    assertThat(look(wait)).isInstanceOf(ProbeResult.Done.class);
  }

  private void isUp() {
    flink.running().unchangedSince(up, clock.instant());
  }

  private void after(Duration time) {
    clock.advance(time);
    flink.unchangedSince(up, clock.instant());
  }

  private void completed(long count) {
    flink.checkpoints(
        new Checkpoints(
            new Checkpoints.Counts(count, 0, count, 0, 0),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty()));
  }

  private JobStableWait wait(StableAfter wanted) {
    long patience = AwaitStableRequest.patienceMs(wanted, START.toMillis());
    return new JobStableWait(
        new AwaitStableRequest(
            Jobs.RESOURCE,
            Jobs.JOB,
            wanted,
            START.toMillis(),
            clock.in(Duration.ofMillis(patience))),
        new JobTarget(Jobs.cluster(Map.of()), JOB, FlinkConfiguration.empty()),
        clusters.access(clock),
        flink,
        () -> {
          if (!apiServerUp) {
            throw new IllegalStateException("away");
          }
          return live;
        });
  }

  private static ProbeResult<StableJob> stable(String why) {
    return ProbeResult.done(new StableJob(JOB, why));
  }

  private static ProbeResult<StableJob> look(JobStableWait wait) {
    return wait.look();
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
