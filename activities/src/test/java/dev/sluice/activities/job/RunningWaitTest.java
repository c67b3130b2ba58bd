package dev.sluice.activities.job;

import static dev.sluice.activities.support.FakeFlink.JOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.JobState;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.FakeView;
import dev.sluice.activities.support.Pods;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.Stats;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.workflows.job.AwaitRunningRequest;
import dev.sluice.workflows.job.RunningJob;
import dev.sluice.workflows.operation.FailureType;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RunningWaitTest {

  private static final String PATH = "file:///savepoints/savepoint-ab12cd-77/";

  private final TestClock clock = new TestClock();
  private final FakeFlink flink = new FakeFlink();
  private final FakeView view = new FakeView();

  @Test
  void itIsRunningWhenEveryTaskIsAndItSaysWhatItWasRestoredFrom() {
    flink
        .running()
        .checkpoints(Stats.none().restored("file:/savepoints/savepoint-ab12cd-77").build());

    assertThat(look(wait(PATH)))
        .isEqualTo(
            ProbeResult.done(new RunningJob(JOB, 8, "file:/savepoints/savepoint-ab12cd-77")));
  }

  @Test
  void tasksThatDoNotRunYetAreCounted() {
    flink.job(JobState.RUNNING, 3);
    view.pods.add(Pods.running(Pods.taskManager()));
    view.pods.add(Pods.unschedulable(Pods.taskManager(), "0/3 nodes are available"));

    assertThat(look(wait(PATH)))
        .isEqualTo(
            ProbeResult.notYet(
                "JobManager answers; 3 of 8 tasks running; TaskManager pods: 1 Pending, 1 Running"
                    + " (no node takes pod orders-taskmanager-1-1: 0/3 nodes are available)"));
  }

  @Test
  void aJobThatIsNotSubmittedYetIsWaitedFor() {
    flink.noJob();

    assertThat(look(wait(null)))
        .isEqualTo(
            ProbeResult.notYet(
                "the JobManager answers; the job is not submitted yet; TaskManager pods: none"));
  }

  @Test
  void flinkIsAskedSeldomWhileNoTaskManagerRuns() {
    flink.job(JobState.CREATED, 0);
    view.pods.add(Pods.taskManager());
    RunningWait wait = wait(null);

    for (int i = 0; i < 40; i++) {
      look(wait);
      clock.advance(Duration.ofMillis(100));
    }

    assertThat(flink.requests).isEqualTo(2);
  }

  @Test
  void flinkIsAskedAtOnceWhenATaskManagerRuns() {
    flink.job(JobState.CREATED, 0);
    view.pods.add(Pods.taskManager());
    RunningWait wait = wait(null);
    look(wait);

    flink.running();
    view.pods.set(0, Pods.running(Pods.taskManager()));

    assertThat(look(wait)).isInstanceOf(ProbeResult.Done.class);
  }

  @Test
  void aFailedJobTellsWhy() {
    flink.job(JobState.FAILED, 0).failedWith("on purpose");

    assertThat(look(wait(null)))
        .isEqualTo(
            ProbeResult.failed(
                FailureType.JOB_FAILED,
                "job " + JOB + " failed: IllegalStateException: on purpose"));
  }

  @Test
  void anExceptionThatIsStillMissingIsWaitedForButNotForEver() {
    flink.job(JobState.FAILED, 0);
    RunningWait wait = wait(null);

    assertThat(look(wait)).isInstanceOf(ProbeResult.NotYet.class);
    clock.advance(Duration.ofSeconds(4));

    assertThat(type(look(wait))).isEqualTo(FailureType.JOB_FAILED);
  }

  @Test
  void aJobThatWasRestoredFromElsewhereIsNotTakenForRunning() {
    flink
        .running()
        .checkpoints(Stats.none().restored("file:/savepoints/savepoint-ab12cd-1").build());

    assertThat(look(wait(PATH)))
        .isEqualTo(
            ProbeResult.failed(
                FailureType.RESTORED_ELSEWHERE,
                "job "
                    + JOB
                    + " says that it was restored from"
                    + " file:/savepoints/savepoint-ab12cd-1; it was to be restored from "
                    + PATH));
  }

  @Test
  void aJobThatWasToStartEmptyMustNotHaveBeenRestored() {
    flink.running().checkpoints(Stats.none().restored("file:/old/chk-3").build());

    assertThat(type(look(wait(null)))).isEqualTo(FailureType.RESTORED_ELSEWHERE);
  }

  @Test
  void aJobThatFailedOverOnceWasRestoredFromItsOwnCheckpoint() {
    flink.running().checkpoints(Stats.none().restored("file:/c/" + JOB + "/chk-3").build());

    assertThat(look(wait(PATH))).isInstanceOf(ProbeResult.Done.class);
  }

  @Test
  void whatWasRestoredMayShowLate() {
    flink.running().checkpoints(Stats.none().build());
    RunningWait wait = wait(PATH);

    assertThat(look(wait)).isInstanceOf(ProbeResult.NotYet.class);
    clock.advance(Duration.ofSeconds(4));

    assertThat(type(look(wait))).isEqualTo(FailureType.RESTORED_ELSEWHERE);
  }

  @Test
  void aJobWithoutCheckpointsThatStartsEmptyIsRunning() {
    flink.running();

    assertThat(look(wait(null))).isEqualTo(ProbeResult.done(new RunningJob(JOB, 8, null)));
  }

  @Test
  void aMissingImageEndsTheWaitWhenItStays() {
    flink.up(false);
    view.pods.add(Pods.waiting(Pods.jobManager(), "ErrImagePull", "not found", 0));
    RunningWait wait = wait(null);

    assertThat(look(wait)).isInstanceOf(ProbeResult.NotYet.class);
    clock.advance(Duration.ofSeconds(11));

    assertThat(look(wait))
        .isEqualTo(
            ProbeResult.failed(
                FailureType.CLUSTER_NOT_READY,
                "pod orders-0 cannot get image flink:nope: ErrImagePull: not found. Correct"
                    + " spec.image or the pull secret."));
  }

  @Test
  void itEndsAtTheDeadlineWithWhatItSawLastAndTheNewestException() {
    flink.job(JobState.RESTARTING, 2).failedWith("no slots");
    RunningWait wait = wait(null);
    look(wait);
    clock.advance(Duration.ofMinutes(6));

    assertThat(look(wait))
        .isEqualTo(
            ProbeResult.failed(
                FailureType.CLUSTER_NOT_READY,
                "not every task of job "
                    + JOB
                    + " ran in time: JobManager answers; job is"
                    + " RESTARTING; 2 of 8 tasks running; TaskManager pods: none. Newest"
                    + " exception: IllegalStateException: no slots"));
  }

  private RunningWait wait(String restoredFrom) {
    JobTarget target =
        new JobTarget(
            Endpoint.of("default", "orders"),
            JOB,
            FlinkConfiguration.empty(),
            FlinkConfiguration.empty(),
            Duration.ofSeconds(3));
    return new RunningWait(
        new AwaitRunningRequest(Refs.ORDERS, JOB, restoredFrom, clock.in(Duration.ofMinutes(5))),
        target,
        view,
        flink,
        clock);
  }

  private static ProbeResult<RunningJob> look(RunningWait wait) {
    return wait.look().join();
  }

  private static String type(ProbeResult<RunningJob> outcome) {
    assertThat(outcome).isInstanceOf(ProbeResult.Failed.class);
    return ((ProbeResult.Failed<RunningJob>) outcome).type();
  }
}
