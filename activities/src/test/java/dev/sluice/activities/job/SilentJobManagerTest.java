package dev.sluice.activities.job;

import static dev.sluice.activities.support.FakeFlink.JOB;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.support.FakeClusters;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Jobs;
import dev.sluice.activities.support.Pods;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.common.FlinkConfiguration;
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

/** No answer says nothing of a job that was up: by Flink's own times it may be stable for long. */
class SilentJobManagerTest {

  private static final Duration START = ofMinutes(5);
  private static final StableAfter TWO_MINUTES = new StableAfter(120_000, 0, true);
  private static final StableAfter THREE_CHECKPOINTS = new StableAfter(0, 3, false);

  private final TestClock clock = new TestClock();
  private final FakeFlink flink = new FakeFlink();
  private final FakeClusters clusters = FakeClusters.running();
  private Instant up = clock.instant();
  private long deadlineMs;

  @BeforeEach
  void aJobThatCameUpJustNow() {
    clusters.both(Pods.running(Pods.taskManager()));
    flink.checkpointing(ofSeconds(10), ofMinutes(10));
    completed(0);
    answers();
  }

  @Test
  void aJobThatWasQuietMeanwhileIsStableOnceFlinkAnswers() {
    JobStableWait wait = wait(TWO_MINUTES);
    look(wait);
    silent(wait, ofMinutes(4));

    answers();

    assertThat(look(wait))
        .isEqualTo(ProbeResult.done(new StableJob(JOB, "2 min without a restart")));
  }

  @Test
  void aJobThatTookItsCheckpointsMeanwhileIsStableOnceFlinkAnswers() {
    JobStableWait wait = wait(THREE_CHECKPOINTS);
    look(wait);
    silent(wait, ofMinutes(4));

    completed(400);
    answers();

    assertThat(look(wait)).isEqualTo(ProbeResult.done(new StableJob(JOB, "400 checkpoints")));
  }

  @Test
  void aWaitThatBeginsInTheSilenceGoesOnAsWell() {
    JobStableWait wait = wait(TWO_MINUTES);

    silent(wait, ofMinutes(4));

    answers();
    assertThat(look(wait)).isInstanceOf(ProbeResult.Done.class);
  }

  @Test
  void aJobThatKeepsRestartingHasTheSamePatienceWithAndWithoutASilence() {
    JobStableWait wait = wait(TWO_MINUTES);
    look(wait);
    for (int times = 0; times < 5; times++) {
      silent(wait, ofMinutes(4));
      restarted();
      look(wait);
    }

    for (int minute = 0; minute < 9; minute++) {
      restarted();
      assertThat(look(wait)).isInstanceOf(ProbeResult.NotYet.class);
      clock.advance(ofMinutes(1));
    }
    restarted();

    assertThat(look(wait))
        .isInstanceOfSatisfying(
            ProbeResult.Failed.class,
            it -> assertThat(it.type()).isEqualTo(FailureType.NOT_STABLE));
  }

  /** The run says so, and waits on: nothing is known against the job. */
  @Test
  void aSilenceThatIsAsLongAsAStartMayTakeIsTold() {
    JobStableWait wait = wait(TWO_MINUTES);
    look(wait);
    silent(wait, START);

    assertThat(look(wait))
        .isInstanceOfSatisfying(
            ProbeResult.Failed.class,
            it -> {
              assertThat(it.type()).isEqualTo(FailureType.JOB_MANAGER_SILENT);
              assertThat(it.message()).contains("300 s", "the JobManager does not answer");
            });
  }

  private void silent(JobStableWait wait, Duration time) {
    flink.up(false);
    for (long minute = 0; minute < time.toMinutes(); minute++) {
      assertThat(look(wait))
          .isInstanceOfSatisfying(
              ProbeResult.NotYet.class,
              it -> assertThat(it.progress()).startsWith("the JobManager does not answer"));
      assertThat(isTimeLeft(wait)).isTrue();
      clock.advance(ofMinutes(1));
    }
  }

  /** As the loop that looks sees it. */
  private boolean isTimeLeft(JobStableWait wait) {
    return clock.millis() < deadlineMs + wait.extensionMs();
  }

  private void restarted() {
    up = clock.instant();
    answers();
  }

  private void answers() {
    flink.up(true).running().unchangedSince(up, clock.instant());
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
    deadlineMs =
        clock.in(Duration.ofMillis(AwaitStableRequest.patienceMs(wanted, START.toMillis())));
    return new JobStableWait(
        new AwaitStableRequest(Jobs.RESOURCE, Jobs.JOB, wanted, START.toMillis(), deadlineMs),
        new JobTarget(Jobs.cluster(Map.of()), JOB, FlinkConfiguration.empty()),
        clusters.access(clock),
        flink,
        Optional::empty);
  }

  private static ProbeResult<StableJob> look(JobStableWait wait) {
    return wait.look();
  }
}
