package dev.sluice.activities.job;

import static dev.sluice.activities.support.FakeFlink.JOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.JobType;
import dev.sluice.activities.job.JobProbe.Probe;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Jobs;
import dev.sluice.activities.support.Stats;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.JobObservation.Retention;
import dev.sluice.workflows.model.StateRef;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JobProbeTest {

  private static final Duration AGE = Duration.ofSeconds(3);

  private final TestClock clock = new TestClock();
  private final FakeFlink flink = new FakeFlink();
  private final JobProbe probe = new JobProbe(flink, Jobs.ENDPOINT, JOB, AGE, clock);

  private Probe look() {
    return probe.look();
  }

  private Probe lookAfter(Duration time) {
    look();
    clock.advance(time);
    return look();
  }

  @Test
  void aJobThatIsUpIsToldWithWhatAPlanNeeds() {
    flink
        .job(JOB, FlinkJobState.RUNNING, FakeFlink.tasks(3, 1, 0))
        .retention(Retention.DELETED)
        .checkpoints(Stats.none().checkpoint(7, "/c/7").build());

    assertThat(look().job())
        .isEqualTo(
            new Alive(
                JOB,
                FlinkJobState.RUNNING,
                new JobObservation.Tasks(3, 1, 4),
                new StateRef.Checkpoint("/c/7"),
                true,
                Retention.DELETED,
                Duration.ofMinutes(7).toMillis(),
                new JobObservation.Times(
                    clock.millis(),
                    FakeFlink.BEGUN.toEpochMilli(),
                    0,
                    0,
                    FakeFlink.BEGUN.toEpochMilli(),
                    0)));
    assertThat(look().settled()).isTrue();
  }

  @Test
  void itIsToldHowOldTheCheckpointsOfAJobAre() {
    Instant completed = FakeFlink.BEGUN.plusSeconds(60);
    Instant pending = FakeFlink.BEGUN.plusSeconds(90);
    flink
        .running()
        .checkpoints(
            Stats.none()
                .newest(
                    new Checkpoints.Completed(
                        7, Checkpoints.Kind.CHECKPOINT, Optional.of("/c/7"), false, completed))
                .pendingSince(pending)
                .build());

    assertThat(((Alive) look().job()).times())
        .isEqualTo(
            new JobObservation.Times(
                clock.millis(),
                FakeFlink.BEGUN.toEpochMilli(),
                completed.toEpochMilli(),
                pending.toEpochMilli(),
                FakeFlink.BEGUN.toEpochMilli(),
                0));
  }

  /** An upgrade waits for it. */
  @Test
  void aSavepointInProgressIsToldAndNotSettled() {
    Instant savepoint = FakeFlink.BEGUN.plusSeconds(90);
    flink.running().checkpoints(Stats.none().savingSince(savepoint).build());

    assertThat(((Alive) look().job()).times().savepointSinceMs())
        .isEqualTo(savepoint.toEpochMilli());
    assertThat(look().settled()).isFalse();
    assertThat(look().progress()).endsWith(", a savepoint is in progress");
  }

  /** By the JobManager's clock; only a job that is up has such a time. */
  @Test
  void itIsToldSinceWhenEveryTaskIsUp() {
    Instant there = clock.instant().plusSeconds(9_000);
    flink.running().unchangedSince(there.minusSeconds(30), there);
    assertThat(((Alive) look().job()).times().upForMs()).isEqualTo(30_000);

    flink.job(FlinkJobState.RESTARTING, 3).unchangedSince(there.minusSeconds(30), there);
    assertThat(((Alive) look().job()).times().upForMs()).isZero();
  }

  @Test
  void aJobThatIsNotUpIsNotSettled() {
    flink.job(FlinkJobState.RESTARTING, 3);

    assertThat(look().settled()).isFalse();
    assertThat(look().progress()).isEqualTo("RESTARTING, 3 of 8 tasks running, 5 scheduled");
  }

  @Test
  void aBatchJobIsSettledWhileLaterStagesWait() {
    flink.type(JobType.BATCH).job(JOB, FlinkJobState.RUNNING, FakeFlink.tasks(1, 2, 5));

    assertThat(look().settled()).isTrue();
  }

  @Test
  void aJobThatIsUpMayAlwaysHaveProgressed() {
    flink.running().checkpoints(Stats.none().restored("/s/1").build());

    Alive seen = (Alive) lookAfter(Duration.ofMinutes(1)).job();

    assertThat(seen.newest()).isEqualTo(new StateRef.Savepoint("/s/1"));
    assertThat(seen.progressed()).isTrue();
  }

  @Test
  void aJobThatNeverCameUpHasNotProgressedOnceStatisticsAreFinal() {
    flink.job(FlinkJobState.RESTARTING, 3).checkpoints(Stats.none().restored("/s/1").build());

    assertThat(((Alive) look().job()).progressed()).isTrue();
    clock.advance(Duration.ofSeconds(4));

    assertThat(((Alive) look().job()).progressed()).isFalse();
  }

  /** Flink forgets its statistics together with its last slot. */
  @Test
  void aJobThatWaitsForSlotsAgainMayHaveProgressed() {
    flink
        .job(JOB, FlinkJobState.CREATED, FakeFlink.tasks(0, 0, 0))
        .checkpoints(Stats.none().build())
        .metrics(Map.of("numRestarts", 1L));

    Alive seen = (Alive) lookAfter(Duration.ofMinutes(1)).job();

    assertThat(seen.newest()).isInstanceOf(StateRef.Unknown.class);
    assertThat(seen.progressed()).isTrue();
  }

  @Test
  void oneThatNeverHadAnyHasNotProgressed() {
    flink
        .job(JOB, FlinkJobState.CREATED, FakeFlink.tasks(0, 0, 0))
        .checkpoints(Stats.none().build());
    assertThat(((Alive) look().job()).progressed()).as("not counted yet").isTrue();

    flink.metrics(Map.of("numRestarts", 0L));
    Alive seen = (Alive) lookAfter(Duration.ofMinutes(1)).job();

    assertThat(seen.newest()).isInstanceOf(StateRef.Empty.class);
    assertThat(seen.progressed()).isFalse();
  }

  @Test
  void statisticsThatCannotBeReadTellNothing() {
    flink.running();
    JobProbe blind =
        new JobProbe(new StatisticsAway(flink).client(), Jobs.ENDPOINT, JOB, AGE, clock);

    Probe look = blind.look();
    Alive seen = (Alive) look.job();

    assertThat(look.settled()).isFalse();
    assertThat(seen.newest()).isInstanceOf(StateRef.Unknown.class);
    assertThat(seen.progressed()).isTrue();
    assertThat(seen.keepsCheckpoints()).isEqualTo(Retention.UNKNOWN);
  }

  @ParameterizedTest
  @EnumSource(
      value = FlinkJobState.class,
      names = {"FAILED", "CANCELED"})
  void aJobThatHasEndedIsSettledOnceItsStatisticsAreFinal(FlinkJobState state) {
    flink.job(state, 0).checkpoints(Stats.none().checkpoint(7, "/c/7").build());
    assertThat(look().settled()).isFalse();
    flink.checkpoints(Stats.none().checkpoint(8, "/c/8").build());
    clock.advance(Duration.ofSeconds(4));

    assertThat(look().settled()).isTrue();
    assertThat(look().job())
        .isEqualTo(new Ended(JOB, state, new StateRef.Checkpoint("/c/8"), true));
  }

  @Test
  void aJobThatIsNotListedIsSettledOnlyAfterAWhile() {
    flink.noJob();
    assertThat(look().settled()).isFalse();
    clock.advance(Duration.ofSeconds(21));

    assertThat(look().settled()).isTrue();
    assertThat(look().job()).isEqualTo(new JobObservation.Absent(JOB));
  }

  @Test
  void aSilentJobManagerIsUnreachable() {
    flink.up(false);

    assertThat(look().job()).isEqualTo(new JobObservation.Unreachable("connection refused", JOB));
    assertThat(look().settled()).isFalse();
  }

  @Test
  void otherLiveJobsAreNamed() {
    flink
        .running()
        .job("feed", FlinkJobState.RUNNING, FakeFlink.tasks(1, 0, 0))
        .job("done", FlinkJobState.FINISHED, FakeFlink.tasks(0, 1, 0));

    assertThat(look().otherJobs()).containsExactly("feed");
  }

  @Test
  void onAClusterThatDoesNotSayItsJobItIsTheOneThatLives() {
    flink
        .job("old", FlinkJobState.RUNNING, FakeFlink.tasks(1, 0, 0))
        .job("failed", FlinkJobState.FAILED, FakeFlink.tasks(0, 0, 1));
    JobProbe any = new JobProbe(flink, Jobs.ENDPOINT, null, AGE, clock);

    assertThat(((Alive) any.look().job()).jobId()).isEqualTo("old");
  }
}
