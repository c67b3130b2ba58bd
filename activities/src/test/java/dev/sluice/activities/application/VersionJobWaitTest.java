package dev.sluice.activities.application;

import static dev.sluice.activities.support.FakeFlink.JOB;
import static dev.sluice.activities.support.FakeFlink.tasks;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.job.ClusterJob;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Stats;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.activity.JobActivities.AwaitRunningRequest;
import dev.sluice.workflows.application.VersionJob;
import dev.sluice.workflows.application.VersionJob.Failed;
import dev.sluice.workflows.application.VersionJob.Finished;
import dev.sluice.workflows.application.VersionJob.Lost;
import dev.sluice.workflows.application.VersionJob.NotUp;
import dev.sluice.workflows.application.VersionJob.Unknown;
import dev.sluice.workflows.application.VersionJob.Up;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.StateRef;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class VersionJobWaitTest {

  private static final String SAVEPOINT = "file:/savepoints/savepoint-1";

  private final TestClock clock = new TestClock();
  private final FakeFlink flink =
      new FakeFlink().checkpoints(Stats.none().restored(SAVEPOINT).build());

  private VersionJobWait attempt() {
    FrozenVersion version = Applications.version();
    long deadline = clock.in(Duration.ofMinutes(5));
    ClusterJob job = new ClusterJob(version.running(), JOB, version.configuration(), flink, clock);
    return new VersionJobWait(
        version,
        JOB,
        deadline,
        job.restoreCheck(
            new AwaitRunningRequest(
                Applications.RESOURCE,
                new JobRef(version.cluster(), JOB),
                new StateRef.Savepoint(SAVEPOINT),
                deadline)),
        flink,
        clock);
  }

  private VersionJob outcome(VersionJobWait wait) {
    for (int looks = 0; looks < 40; looks++) {
      try {
        if (wait.look() instanceof ProbeResult.Done<VersionJob> done) {
          return done.result();
        }
      } catch (FlinkRestException silent) {
        assertThat(silent).isInstanceOf(FlinkRestException.Unreachable.class);
      }
      clock.advance(Duration.ofSeconds(10));
    }
    throw new AssertionError("no look decided");
  }

  @Test
  void aJobIsUpOnceEveryTaskRunsOrHasFinished() {
    flink.job(JOB, FlinkJobState.RUNNING, tasks(6, 2, 0));

    assertThat(outcome(attempt()))
        .isEqualTo(new Up("6 running + 2 finished of 8 tasks", SAVEPOINT));
  }

  /** W4: Lyft's operator rolls it back. */
  @Test
  void aHealthyJobIsUpHoweverLongAgoItWasStarted() {
    flink.running();
    VersionJobWait wait = attempt();
    clock.advance(Duration.ofHours(3));

    assertThat(outcome(wait)).isInstanceOf(Up.class);
  }

  /** W4: Lyft's operator takes it for started. */
  @Test
  void aJobWithoutTasksIsNotUp() {
    flink.job(JOB, FlinkJobState.RUNNING, tasks(0, 0, 0));

    assertThat(outcome(attempt())).isInstanceOf(NotUp.class);
  }

  @Test
  void aJobWhoseTasksWaitForSlotsIsNotUpAtTheDeadline() {
    flink.job(FlinkJobState.RUNNING, 3);

    assertThat(outcome(attempt()))
        .isInstanceOfSatisfying(
            NotUp.class, job -> assertThat(job.why()).contains("3 of 8 tasks running"));
  }

  @Test
  void aWorkerThatWasAwayLooksForAWhileBeforeItGivesUp() {
    flink.job(FlinkJobState.RUNNING, 3);
    VersionJobWait wait = attempt();
    clock.advance(Duration.ofMinutes(9));

    assertThat(wait.look()).isInstanceOf(ProbeResult.NotYet.class);
    flink.running();

    assertThat(outcome(wait)).isInstanceOf(Up.class);
  }

  @Test
  void aJobThatWasRestoredFromSomethingElseHasFailed() {
    flink.running().checkpoints(Stats.none().restored("file:/savepoints/older").build());

    assertThat(outcome(attempt()))
        .isInstanceOfSatisfying(
            Failed.class, job -> assertThat(job.reason()).isEqualTo("RestoredElsewhere"));
  }

  @Test
  void aJobThatHasFailedSaysWhy() {
    flink.job(FlinkJobState.FAILED, 0).failedWith("no such topic");

    assertThat(outcome(attempt()))
        .isInstanceOfSatisfying(
            Failed.class, job -> assertThat(job.why()).contains("no such topic"));
  }

  /** W18 */
  @Test
  void aJobThatIsThroughIsAsGoodAsUp() {
    flink.job(JOB, FlinkJobState.FINISHED, tasks(0, 8, 0));

    assertThat(outcome(attempt())).isInstanceOf(Finished.class);
  }

  @Test
  void aJobThatItsJobManagerDoesNotKnowForLongIsLost() {
    assertThat(outcome(attempt())).isInstanceOf(Lost.class);
  }

  @Test
  void ofASilentJobManagerNothingIsKnown() {
    flink.running().up(false);

    assertThat(outcome(attempt())).isInstanceOf(Unknown.class);
  }
}
